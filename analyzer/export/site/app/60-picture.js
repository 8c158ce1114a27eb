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

/** Return somebody's name as known now, shortened; a blank one is an ellipsis. */
function shortName(view, id, most) {
  return shortened(view.name(id).trim(), most) || "…";
}

/** Return words of the manuscript for an attribute: their direction is kept apart by marks, and they are not endless. */
function nameApart(text, most = 60) {
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
  if (from === to) return chapterOf(view, from);
  return words("from_to", { first: chapterOf(view, from), last: chapterOf(view, to) });
}

/** Return somebody's name linked to their page if there is one, shortened, whole in the title. */
function castLink(view, id, most = 40) {
  const root = view.root(id);
  const row = view.entity(root);
  const name = view.name(id);
  const said = bdi(shortName(view, id, most), { dir: "auto" });
  const title = shortened(name, 300);
  if (!row || isHidden(listOf(row.kind))) return el("span", { title }, said);
  return el("a", { href: entityAddress(root), title }, said);
}

/** Return a legend: [sample, words] each. */
function picLegend(entries) {
  return el("ul", { class: "pic-legend", "aria-label": words("pictures.legend") }, entries.map(([sample, text]) => el("li", null, sample, text)));
}

/** Return a small picture of its own for a legend, `w` by 12. */
function picSample(w, ...shapes) {
  return svg("svg", { class: "pic-sample", viewBox: `0 0 ${w} 12`, width: w, height: 12, "aria-hidden": "true" }, shapes);
}

/** Return a choice of one of several, as radio buttons in a line. `options`: [value, words] each. */
function picChoice(title, name, options, chosen, take) {
  return el("fieldset", { class: "pic-choice" }, el("legend", null, title), options.map(([value, text]) => el("label", null,
    el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => take(value) }), text)));
}

/** Return a box to tick with its words. */
function picTick(text, on, take, mark) {
  return el("label", { class: "pic-tick" }, el("input", { type: "checkbox", checked: on, onchange: (event) => take(event.target.checked) }), mark, text);
}

/** Return a button. */
function picButton(text, act, attrs) {
  return el("button", { type: "button", onclick: act, ...attrs }, text);
}

/** Put other children into a node. */
function picRefill(node, ...children) {
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
  for (let at = step; at < n - step / 3; at += step) if (at > 1 + step / 3) marks.push(at);
  if (n > 1) marks.push(n);
  return marks;
}

/** Return rows under a line of chapters, each mark in the middle of its chapter, with a faint line down from it. */
function picGantt(view, rows) {
  const marks = axisMarks(view.n, 8);
  const line = (cls, text) => el("div", { class: cls, "aria-hidden": "true" }, marks.map((n) => picPlaced(el("span", null, text && chapterMark(view, n)), view, n, n)));
  return el("div", { class: "gantt" }, line("pic-axis", true), line("pic-grid", false), rows);
}

/** Place a node over its chapters on a track, in hundredths of its width. */
function picPlaced(node, view, from, to) {
  node.style.setProperty("left", `${((from - 1) / view.n) * 100}%`);
  node.style.setProperty("width", `${((to - from + 1) / view.n) * 100}%`);
  return node;
}
