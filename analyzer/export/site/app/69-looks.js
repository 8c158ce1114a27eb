// What somebody looks like, and how things stand with them, chapter by chapter: a row a feature, a segment a value.

const FEATURES = ["hair", "eyes", "face", "build", "age", "mark", "clothing", "disguise", "voice", "hands", "gait", "other"];
const ATTRIBUTES = [
  "life_status", "health", "location", "title_or_rank", "occupation", "affiliation", "legal_status", "possession", "ability", "goal", "mood",
];
/** A segment takes at least this share of the width, so that it can be hit and read. */
const SEGMENT_LEAST = 0.09;

/** Return the appearance of somebody over the chapters, null where nothing is known. */
function looksChart(view, id) {
  return changeChart(view, id, true, FEATURES);
}

/** Return the states of somebody over the chapters in the same way, null where nothing is known. */
function statesChart(view, id) {
  return changeChart(view, id, false, ATTRIBUTES);
}

function changeChart(view, id, isLook, attributes) {
  const rows = attributes.map((attr) => [attr, looksSegments(view, id, isLook, attr)]).filter(([, found]) => found.length);
  if (!rows.length) return null;
  const detail = el("div", { class: "looks-detail", role: "status" }, words("pictures.looks.hint"));
  const chart = { view, detail, lit: null };
  return el("div", { class: "picture looks" }, picGantt(view, el("ul", { class: "gantt-rows" }, rows.map(([attr, found]) => changeRow(chart, attr, found)))), detail);
}

/** Return the values of an attribute as segments {row, value, from, to}: a value set ends the one before, one added stands beside it. */
function looksSegments(view, id, isLook, attr) {
  const changes = view.each("change").filter((row) => row.attr === attr && Boolean(row.look) === isLook && view.root(row.e) === id);
  changes.sort((a, b) => a.c - b.c || comparePlaces(a.where, b.where));
  const made = [];
  const close = (c, value) => {
    for (const one of made) if (one.to === null && one.isSure && (value === null || one.value === value)) one.to = Math.max(one.from, c - 1);
  };
  for (const row of changes) {
    const value = changeValue(view, row);
    const isSure = row.modality === undefined || row.modality === "asserted";
    if (isSure && row.op === "set") close(row.c, null);
    if (isSure && (row.op === "remove" || row.op === "end")) {
      close(row.c, made.some((one) => one.to === null && one.value === value) ? value : row.op === "end" ? null : value);
      continue;
    }
    made.push({ row, value, from: row.c, to: isSure ? null : row.c, isSure });
  }
  for (const one of made) if (one.to === null) one.to = one.row.holds === false ? lastOver(changes, one) : view.n;
  return joinedSegments(made);
}

/** Return until when a value was so that is over without an end of its own: until the next time anything of it is told. */
function lastOver(changes, { row, from }) {
  const next = changes.find((other) => other !== row && other.c > from);
  return next ? next.c - 1 : from;
}

/** Return segments with those joined that say the same again. */
function joinedSegments(made) {
  const kept = [];
  for (const one of made) {
    const last = kept.find((before) => before.value === one.value && before.isSure === one.isSure && before.to >= one.from - 1);
    if (last) {
      last.to = Math.max(last.to, one.to);
      last.quotes.push(...(one.row.q || []));
    } else kept.push({ ...one, quotes: [...(one.row.q || [])] });
  }
  return kept;
}

function changeValue(view, row) {
  return plain(view, row.value).trim() || (row.of ? view.name(row.of) : "") || words("pictures.looks.unsaid");
}

function comparePlaces(a, b) {
  const [one, two] = [a, b].map((place) => String(place || "").split(".").map(Number));
  return (one[0] || 0) - (two[0] || 0) || (one[1] || 0) - (two[1] || 0);
}

/** Return the segments in lanes, those that would touch in different ones. */
function looksLanes(view, found) {
  const ends = [];
  for (const one of found) {
    const least = Math.max((one.to - one.from + 1) / view.n, SEGMENT_LEAST);
    one.left = Math.min((one.from - 1) / view.n, 1 - least);
    one.share = least;
    const lane = ends.findIndex((end) => end <= one.left + 1e-9);
    one.lane = lane < 0 ? ends.length : lane;
    ends[one.lane] = one.left + least;
  }
  return ends.length;
}

function changeRow(chart, attr, found) {
  const count = looksLanes(chart.view, found);
  const track = el("div", { class: "gantt-track looks-track" }, found.map((one) => looksSegment(chart, attr, one)));
  track.style.setProperty("--lanes", count);
  return el("li", { class: "gantt-row" }, el("div", { class: "gantt-name" }, words(`attr.${attr}`)), track);
}

function looksSegment(chart, attr, one) {
  const { view } = chart;
  const said = `${words(`attr.${attr}`)}: ${nameApart(one.value, 120)}, ${chapterSpan(view, one.from, one.to)}`;
  const tell = () => tellSegment(chart, attr, one, node);
  const node = el("button", { type: "button", class: `looks-segment${one.isSure ? "" : " is-doubtful"}`, "aria-label": said, title: shortened(one.value, 300), onfocus: tell, onpointerenter: tell, onclick: tell },
    el("span", { dir: "auto" }, shortened(one.value, 60)));
  node.style.setProperty("left", `${one.left * 100}%`);
  node.style.setProperty("width", `${one.share * 100}%`);
  node.style.setProperty("--lane", one.lane);
  node.style.setProperty("--from", `${(((one.from - 1) / view.n - one.left) / one.share) * 100}%`);
  node.style.setProperty("--to", `${((one.to / view.n - one.left) / one.share) * 100}%`);
  return node;
}

/** Say what a segment means below the chart: value, chapters and the words that show it. */
function tellSegment(chart, attr, one, node) {
  const { view, detail } = chart;
  if (chart.lit === node) return;
  if (chart.lit) chart.lit.classList.remove("is-lit");
  chart.lit = node;
  node.classList.add("is-lit");
  picRefill(detail, el("p", null, el("strong", null, words(`attr.${attr}`)), ": ", bdi(shortened(one.value, 400)), " · ", chapterSpan(view, one.from, one.to),
    !one.isSure && ` · ${words(`modality.${one.row.modality || "believed"}`)}`), quotesOf(view, one.quotes));
}
