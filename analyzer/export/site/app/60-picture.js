// What the pictures share: shortened names, chapters in words, links, legends, and what readers set that outlives a redraw.

const FAMILIES = ["kin", "romance", "bond", "conflict", "work", "place"];
/** Kinds of relation that hold in both directions alike; all others point from a to b. */
const MUTUAL = new Set([
  "sibling_of", "spouse_of", "betrothed_to", "cousin_of", "in_law_of", "lover_of", "rival_in_love", "friend_of", "ally_of", "companion_of",
  "acquaintance_of", "neighbour_of", "enemy_of", "rival_of", "colleague_of",
]);

/** Return the first `most` code points of a text, with an ellipsis where there were more. */
function shortened(text, most) {
  let kept = "";
  let seen = 0;
  for (const point of text) {
    if (seen === most) return `${kept.trimEnd()}…`;
    kept += point;
    seen += 1;
  }
  return kept;
}

/** Return words of the manuscript for an attribute: their direction is kept apart by marks, and they are not endless. */
function apart(text, most = 60) {
  return `\u2068${shortened(text, most)}\u2069`;
}

/** Return how a chapter is called in a word or two, as it is printed. */
function chapterMark(view, n) {
  const row = view.of("chapter").get(String(n));
  return row && row.label ? shortened(row.label, 12) : number(n);
}

/** Return chapters in words, "1–4, 7": runs of three or more are joined; beyond `most` runs the rest is an ellipsis. */
function chapterRuns(view, chapters, most = 12) {
  const runs = [];
  for (const n of chapters) {
    const last = runs[runs.length - 1];
    if (last && n === last[1] + 1) last[1] = n;
    else runs.push([n, n]);
  }
  const shown = runs.slice(0, most).map(([from, to]) => {
    if (from === to) return chapterMark(view, from);
    return `${chapterMark(view, from)}${to === from + 1 ? ", " : "–"}${chapterMark(view, to)}`;
  });
  return shown.join(", ") + (runs.length > most ? ", …" : "");
}

/** Return a span of chapters in words. */
function chapterSpan(view, from, to) {
  if (from === to) return words("pictures.in_chapter", { n: chapterMark(view, from) });
  return words("pictures.in_chapters", { from: chapterMark(view, from), to: chapterMark(view, to) });
}

/** Return a link to somebody's page, the name shortened, whole in the title. */
function castLink(view, id, most = 40) {
  const name = view.name(id);
  return el("a", { href: castAddress(view, id), title: name }, bdi(shortened(name, most)));
}

/** Return a link to a chapter's page. */
function chapterLink(view, n) {
  return el("a", { href: chapterAddress(n) }, words("pictures.in_chapter", { n: chapterMark(view, n) }));
}

function castAddress(view, id) {
  return `#/cast/${encodeURIComponent(view.root(id))}`;
}

function chapterAddress(n) {
  return `#/chapter/${n}`;
}

/** Return a Text of the rows as one string, names as known now. */
function textWords(view, text) {
  return (text || []).map((part, i) => (i % 2 ? view.name(part) : part)).join("");
}

/** Return quotes as a list, each with its chapter. */
function quoteList(view, quotes) {
  const said = (quotes || []).filter(([, , text]) => text);
  if (!said.length) return null;
  return el("ul", { class: "pic-quotes" }, said.map(([n, , text]) => el("li", null, el("q", { lang: site.lang, dir: "auto" }, text), " ", chapterLink(view, n))));
}

/** Return a legend: [sample, words] each. */
function legend(entries) {
  return el("ul", { class: "pic-legend", "aria-label": words("pictures.legend") }, entries.map(([sample, text]) => el("li", null, sample, text)));
}

/** Return a small picture of its own for a legend, `w` by 12. */
function sample(w, ...shapes) {
  return svg("svg", { class: "pic-sample", viewBox: `0 0 ${w} 12`, width: w, height: 12, "aria-hidden": "true" }, shapes);
}

/** Return a choice of one of several, as radio buttons in a line. `options`: [value, words] each. */
function choice(title, name, options, chosen, take) {
  return el("fieldset", { class: "pic-choice" }, el("legend", null, title), options.map(([value, text]) => el("label", null,
    el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => take(value) }), text)));
}

/** Return a box to tick with its words. */
function tick(text, on, take, mark) {
  return el("label", { class: "pic-tick" }, el("input", { type: "checkbox", checked: on, onchange: (event) => take(event.target.checked) }), mark, text);
}

/** Return a button. */
function press(text, act, attrs) {
  return el("button", { type: "button", onclick: act, ...attrs }, text);
}

/** Put other children into a node. */
function refill(node, ...children) {
  node.replaceChildren();
  return add(node, children);
}

function isStill() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Return the chapters that carry a mark under a chart: the first, the last and round ones between, at most `most`. */
function axisMarks(n, most) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((one) => n / one <= most) || Math.ceil(n / most);
  const marks = [1];
  for (let at = step; at < n - step / 2; at += step) if (at > 1 + step / 2) marks.push(at);
  if (n > 1) marks.push(n);
  return marks;
}

/** Return the line of chapters over a chart of rows, each mark in the middle of its chapter. */
function axis(view) {
  const marks = axisMarks(view.n, 8);
  return el("div", { class: "pic-axis", "aria-hidden": "true" }, marks.map((n) => placed(el("span", null, chapterMark(view, n)), view, n, n)));
}

/** Place a node over its chapters on a track, in hundredths of its width. */
function placed(node, view, from, to) {
  node.style.setProperty("left", `${((from - 1) / view.n) * 100}%`);
  node.style.setProperty("width", `${((to - from + 1) / view.n) * 100}%`);
  return node;
}
