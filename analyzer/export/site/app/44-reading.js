// The question how far one has read: a dialog with a slider, and the first page of somebody who has read nothing.

/** Return a slider over the chapters read: `{node, input, refresh}`. Its words change while it moves, the page when it stops. */
function readSlider(cls) {
  const input = el("input", { type: "range", min: "1", step: "1", class: `reach ${cls}`, "aria-label": words("read.slider") });
  const name = (n) => {
    const row = chain[n - 1] && chapterIn(chain[n - 1]);
    return row ? chapterName(row) : words("chapter.chapter", { label: String(n) });
  };
  const told = el("output", { class: "reach-name", dir: "auto" });
  const tell = () => {
    const text = name(Number(input.value));
    input.setAttribute("aria-valuetext", text);
    told.textContent = text;
    const share = chain.length > 1 ? (Number(input.value) - 1) / (chain.length - 1) : 1;
    input.style.setProperty("--share", `${100 * share}%`);
  };
  input.addEventListener("input", tell);
  input.addEventListener("change", () => goTo(Number(input.value)));
  const refresh = () => {
    input.max = String(Math.max(1, chain.length));
    input.value = String(Math.max(1, state.at));
    input.disabled = chain.length < 2;
    tell();
  };
  return { node: el("div", { class: `slider ${cls}` }, told, input), input, refresh };
}

const reading = { busy: false, stopped: false };

function readingDialog() {
  reading.slider = readSlider("whole");
  const questions = readQuestions();
  reading.questions = questions;
  return el("dialog", { class: "reading", "aria-labelledby": "reading-title", onclose: () => { reading.stopped = true; } },
    el("div", { class: "dialog-head" },
      el("h2", { id: "reading-title" }, words("read.title")),
      el("button", { type: "button", class: "icon", "aria-label": words("close"), onclick: () => frame.dialog.close() }, icon("close"))),
    el("p", { class: "muted" }, words("read.why")),
    reading.slider.node,
    questions.node,
    el("div", { class: "forget" },
      el("button", { type: "button", class: "plain", onclick: forgetAll }, words("read.forget")),
      el("span", { class: "muted" }, words("read.forget_why"))));
}

function openReading() {
  reading.slider.refresh();
  reading.questions.refresh();
  reading.slider.node.hidden = chain.length < 2;
  if (!frame.dialog.open) frame.dialog.showModal();
}

function forgetAll() {
  frame.dialog.close();
  forget();
  focusHeading();
}

/** Return what a reader can say of how far they have read: `{node, refresh, say}`. */
function readQuestions() {
  const asked = {
    next: el("button", { type: "button", class: "main", onclick: () => readNext(asked) }),
    upto: el("input", { type: "number", min: "1", max: "99999", step: "1", inputmode: "numeric", required: true }),
    note: el("p", { class: "note", role: "status" }),
    bar: el("progress", { hidden: true, "aria-label": words("read.title") }),
  };
  const form = el("form", { class: "upto", onsubmit: (event) => {
    event.preventDefault();
    readTo(asked, Math.floor(Number(asked.upto.value)));
  } }, el("label", {}, el("span", {}, words("read.upto")), asked.upto), el("button", { type: "submit" }, words("read.upto_go")));
  asked.say = (text) => { asked.note.textContent = text; };
  asked.refresh = () => {
    asked.next.textContent = words(chain.length ? "read.next" : "read.first");
    asked.say(state.ended ? words("read.last") : state.kept ? "" : words("read.stored_not"));
  };
  asked.refresh();
  asked.node = el("div", { class: "questions", hidden: isReport }, asked.next, form, asked.bar, asked.note);
  return asked;
}

function readNext(asked) {
  const n = chain.length + 1;
  return readOn(asked, (read) => read.length < n);
}

/** Show the book as of the chapter a reader calls `m`; what of it has not come yet is loaded. */
function readTo(asked, m) {
  if (!(m >= 1)) return asked.say(words("read.number_wrong"));
  const ends = endsBefore(m);
  const come = chain.findIndex((_, i) => !ends(chain.slice(0, i + 1)));
  return come >= 0 ? arrive(asked, come + 1, true) : readOn(asked, ends, m);
}

/** Load while `wanted`, with progress towards `m`, and show the last chapter that came. */
async function readOn(asked, wanted, m) {
  if (reading.busy) return;
  reading.busy = true;
  reading.stopped = false;
  const tell = () => {
    if (!m) return;
    asked.bar.hidden = false;
    asked.bar.max = m;
    asked.bar.value = Math.min(chain.length, m);
    asked.say(words("read.loading_n", { n: number(chain.length), all: number(m) }));
  };
  const whole = await walk((read) => !reading.stopped && wanted(read), tell);
  reading.busy = false;
  asked.bar.hidden = true;
  state.ended = !whole;
  arrive(asked, chain.length, whole);
}

/** Show chapter `n` and say what came of it: the dialog stays only if there was less than was asked for. */
function arrive(asked, n, whole) {
  if (!n) return asked.say(words("read.missing"));
  const isFirst = state.at === 0;
  goTo(n);
  reading.slider.refresh();
  reading.questions.refresh();
  if (whole && frame.dialog.open) frame.dialog.close();
  if (!whole) asked.say(words("read.last"));
  if (isFirst) focusHeading();
}

/** Return the first page of somebody who has read nothing yet: the book's cover and the question, nothing of the story. */
function welcomePage() {
  const questions = readQuestions();
  const cover = site.cover && el("img", { class: "cover", src: site.cover, alt: "" });
  const body = el("div", { class: `welcome ${cover ? "covered" : ""}` },
    cover,
    el("div", { class: "welcome-words" },
      el("p", { class: "eyebrow" }, words("welcome.greeting")),
      heading(label(site.title)),
      site.subtitle && el("p", { class: "subtitle", lang: site.lang, dir: "auto" }, site.subtitle),
      site.author && el("p", { class: "author", lang: site.lang, dir: "auto" }, site.author),
      site.description && el("p", { class: "description", lang: site.lang, dir: "auto" }, site.description),
      el("section", { class: "card asks" },
        el("h2", {}, words("read.title")), el("p", { class: "muted" }, words("welcome.more")), questions.node)));
  return { title: "", bare: true, body: [body] };
}
