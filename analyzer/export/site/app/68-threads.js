// Threads over the chapters: a bar from where one is planted to where it ends or to now, and a mark of its own shape for each event.

const THREAD_GROUPS = { open: ["open", "overdue", "dormant"], closed: ["paid", "subverted", "abandoned"] };
const THREADS_MOST = 40;
const threadKept = { show: "all", order: "plant", all: false };

/** Return the chart of all threads as of now; `opened`: the one whose line is open at first. */
function threadChart(view, opened) {
  if (opened && view.of("thread").has(opened)) Object.assign(threadKept, { show: "all", all: true });
  const page = { view, opened, list: el("div"), controls: el("div", { class: "thread-controls" }) };
  drawThreads(page);
  return el("div", { class: "picture threads-chart" }, page.controls, threadLegend(), page.list);
}

/** Return threads with their steps in order, the first where it was planted. */
function threadRows(view) {
  const steps = new Map();
  for (const step of view.of("step").values()) steps.set(step.t, [...(steps.get(step.t) || []), step]);
  return view.each("thread").map((row) => {
    const own = (steps.get(row.key) || []).sort((a, b) => a.c - b.c);
    const from = Math.min(row.c || 1, own.length ? own[0].c : row.c || 1);
    const isClosed = THREAD_GROUPS.closed.includes(row.status);
    const last = own.length ? own[own.length - 1].c : from;
    return { ...row, steps: own, from, last, to: isClosed ? last : view.n, isClosed };
  });
}

function drawThreads(page) {
  const { view } = page;
  const all = threadRows(view);
  if (!all.length) { picRefill(page.list, el("p", null, words("pictures.threads.none"))); return; }
  const shown = all.filter((row) => threadKept.show === "all" || row.isClosed === (threadKept.show === "closed"));
  const order = { plant: (a, b) => a.from - b.from, last: (a, b) => b.last - a.last, long: (a, b) => b.to - b.from - (a.to - a.from) };
  shown.sort((a, b) => order[threadKept.order](a, b) || a.from - b.from);
  const redraw = (changes, name) => {
    Object.assign(threadKept, changes);
    drawThreads(page);
    const chosen = page.controls.querySelector(`input[name="${name}"]:checked`);
    if (chosen) chosen.focus();
  };
  const options = (key, values) => values.map((value) => [value, words(`pictures.threads.${key}_${value}`)]);
  picRefill(page.controls,
    picChoice(words("pictures.threads.show"), "threads-show", options("show", ["all", "open", "closed"]), threadKept.show, (show) => redraw({ show }, "threads-show")),
    picChoice(words("pictures.threads.order"), "threads-order", options("order", ["plant", "last", "long"]), threadKept.order, (value) => redraw({ order: value }, "threads-order")));
  const most = threadKept.all ? shown.length : THREADS_MOST;
  const more = () => {
    threadKept.all = true;
    drawThreads(page);
    page.list.querySelectorAll(".gantt-row summary")[most].focus();
  };
  picRefill(page.list, picGantt(view, el("ol", { class: "gantt-rows" }, shown.slice(0, most).map((row) => threadRow(page, row)))),
    shown.length > most && picButton(words("pictures.threads.all", { n: number(shown.length) }), more));
}

function threadRow({ view, opened }, row) {
  const text = plain(view, row.text);
  const bar = el("span", { class: `gantt-bar is-${row.status}` });
  const [left, right] = [row.from - 0.5, row.isClosed ? row.to - 0.5 : view.n];
  bar.style.setProperty("left", `${(left / view.n) * 100}%`);
  bar.style.setProperty("width", `${((right - left) / view.n) * 100}%`);
  const marks = threadMarks(row).map(([n, events]) => picPlaced(el("span", { class: "gantt-marks" }, [...events].map(eventMark)), view, n, n));
  const track = el("div", { class: "gantt-track", "aria-hidden": "true" }, bar, marks);
  return el("li", { class: `gantt-row is-${row.status}` },
    el("div", { class: "gantt-name" }, el("div", { class: "gantt-kind" }, words(`thread.${row.kind}`), " · ", words(`thread_status.${row.status}`)),
      threadFold(view, row, shortened(text, 400) || words("pictures.threads.untold"), row.key === opened)),
    el("p", { class: "pic-hidden" }, threadWords(view, row)), track);
}

/** Return a thread's words as a line that opens to all there is to it. */
function threadFold(view, row, text, open) {
  const place = fold({ open }, bdi(text), () => el("div", { class: "thread-all" },
    threadPeople(view, row), threadSteps(view, row, (n) => chapterLink(view, n)), quotesOf(view, row.q)));
  if (open) window.requestAnimationFrame(() => place.isConnected && place.scrollIntoView({ block: "center" }));
  return place;
}

/** Return [chapter, events] in order; an event that happens twice in a chapter is shown once. */
function threadMarks(row) {
  const by = new Map();
  for (const { c, event } of row.steps) by.set(c, new Set([...(by.get(c) || []), event]));
  if (!by.has(row.from)) by.set(row.from, new Set(["plant"]));
  return [...by].sort(([a], [b]) => a - b);
}

/** Return the chart of a thread in words. */
function threadWords(view, row) {
  const steps = threadMarks(row).flatMap(([n, events]) => [...events].map((event) => `${words(`step.${event}`)}: ${chapterOf(view, n)}`));
  return `${steps.join("; ")}. ${row.isClosed ? "" : words("pictures.threads.still")}`;
}

/** Return the mark of an event, each of its own shape: planted a ring, recalled a dot, and so on. */
function eventMark(event) {
  return svg("svg", { class: `gantt-mark is-${event}`, viewBox: "-7 -7 14 14", width: 14, height: 14 }, svg("title", null, words(`step.${event}`)), eventShape(event));
}

function eventShape(event) {
  const shapes = {
    plant: () => svg("circle", { class: "hollow", r: 4.5 }),
    reinforce: () => svg("circle", { r: 3 }),
    trigger: () => svg("path", { d: "M-4 -5.5L5.5 0L-4 5.5z" }),
    partial_payoff: () => [svg("path", { class: "hollow", d: "M0 -5.5L5.5 0L0 5.5L-5.5 0z" }), svg("path", { d: "M0 -5.5L-5.5 0L0 5.5z" })],
    payoff: () => svg("path", { d: "M0 -6L6 0L0 6L-6 0z" }),
    subvert: () => svg("path", { d: "M-6 -4.5H6L0 6z" }),
    abandon: () => svg("path", { class: "stroke", d: "M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5" }),
  };
  return svg("g", null, shapes[event] ? shapes[event]() : svg("rect", { x: -3, y: -3, width: 6, height: 6 }));
}

function threadLegend() {
  const event = (name) => [eventMark(name), words(`step.${name}`)];
  const bar = (name) => [el("span", { class: `gantt-sample gantt-bar is-${name}`, "aria-hidden": "true" }), words(`thread_status.${name}`)];
  const events = ["plant", "reinforce", "trigger", "partial_payoff", "payoff", "subvert", "abandon"].map(event);
  for (const [mark] of events) mark.setAttribute("aria-hidden", "true");
  return picLegend([...events, ...["open", "overdue", "dormant", "paid", "subverted", "abandoned"].map(bar)]);
}
