// What a row of the book looks like wherever it stands: a line, its tags, the words that show it.

/** Return a section with a heading, or null if there is nothing in it. */
function section(key, ...children) {
  const inside = children.flat(Infinity).filter(Boolean);
  if (!inside.length) return null;
  const id = `s-${key.replaceAll(/\W/g, "-")}`;
  return el("section", { "aria-labelledby": id, id: `${id}-all` }, el("h2", { id, tabindex: "-1" }, words(key)), inside);
}

const MOST = 8; // rows of a list before the rest is asked for
const SPARE = 2; // so few more are shown at once

/** Return rows as a list, the rest of a long one behind a button; null for no rows. */
function list(rows, node, { cls = "items", most = MOST } = {}) {
  if (!rows.length) return null;
  const at = rows.length > most + SPARE ? most : rows.length;
  const entries = (some) => some.map((row) => el("li", {}, node(row)));
  const place = el("ul", { class: cls }, entries(rows.slice(0, at)));
  return at < rows.length ? [place, restOf(place, rows.length, () => entries(rows.slice(at)))] : place;
}

/** Return a button that puts the rest of a list in its place, and leads to the first of it. */
function restOf(place, n, rest) {
  const button = el("button", { type: "button", class: "plain rest", onclick: () => {
    const entries = rest();
    place.append(...entries);
    button.remove();
    const first = entries[0].querySelector("a, summary") || entries[0];
    if (first === entries[0]) first.setAttribute("tabindex", "-1");
    first.focus({ preventScroll: true });
  } }, words("show_all_n", { n: number(n) }));
  return button;
}

function tag(text, cls = "") {
  return el("span", { class: `tag ${cls}` }, text);
}

/** Return a line of an item: its words, tags behind them, what belongs under it. */
function item(line, tags, ...under) {
  const shown = (tags || []).filter(Boolean);
  return el("div", { class: "item" },
    el("div", { class: "line" }, line, shown.length ? [" ", el("span", { class: "tags" }, shown)] : null), under);
}

/** Return a name for something with what it is, such as "Told to: Anna, Ben"; null if there is nothing. */
function labelled(key, node) {
  return node && el("div", { class: "labelled" }, el("span", { class: "label" }, words(key)), " ", node);
}

/** Return where something stands in the book, to sort by: `3:4.2`, or a chapter alone. */
function inBook(row) {
  const [chapter, place] = split(String(row.where || row.c), ":");
  const [block, sentence] = split(place, ".");
  return [row.c || Number(chapter), Number(block) || 0, Number(sentence) || 0];
}

/** Return rows in the order of the book. */
function inOrder(rows) {
  return rows
    .map((row) => [inBook(row), row])
    .sort(([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(([, row]) => row);
}

/** Return a place for a presence strip, drawn when it comes into sight: a long list holds hundreds. */
function strip(view, id) {
  const place = el("div", { class: "strip-place" });
  sight.observe(place);
  undrawn.set(place, () => drawStrip(view, id));
  return place;
}

const undrawn = new WeakMap();
const sight = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    target.append(undrawn.get(target)());
  }
}, { rootMargin: "400px" });

// --- entrances and relations --------------------------------------------------------------------------------------------

function entranceItem(view, row) {
  return item(who(view, row.key), [tag(words(`kind.${row.kind}`))]);
}

/** Return a relation seen from neither end: what the one is, and to whom. */
function tie(view, row) {
  const isMutual = words(`role.${row.k}.a`) === words(`role.${row.k}.b`);
  return [who(view, row.a), " ", el("span", { class: "role" }, words(`role.${row.k}.a`)), " ",
    arrow(isMutual), " ", who(view, row.b)];
}

/** Return an arrow the way one reads, or both ways; it is drawn by the style, and not read out. */
function arrow(both = false) {
  return el("span", { class: both ? "arrow both" : "arrow" });
}

function relationTags(row) {
  return [
    row.status && row.status !== "current" && tag(words(`status.${row.status}`)),
    row.vis === "secret" && tag(words("visibility.secret"), "secret"),
    row.aff === "+" && tag(words("affinity.warm"), "warm"),
    row.aff === "-" && tag(words("affinity.hostile"), "hostile"),
  ];
}

function relationItem(view, row) {
  return item(tie(view, row), relationTags(row), foldedQuotes(view, view.said(row.key).flatMap((said) => said.q || [])));
}

function turnItem(view, row) {
  return item([...tie(view, row), ": ", words(`turn.${row.turn}`)],
    [row.turn === "turns" && row.aff && tag(words(AFFINITY[row.aff]))], foldedQuotes(view, row.q));
}

const AFFINITY = { "+": "affinity.warm", "0": "affinity.neutral", "-": "affinity.hostile" };

// --- changes ------------------------------------------------------------------------------------------------------------

/** Return the value of a change: its words, or whom it is about. */
function valueOf(view, row) {
  if (row.life) return isEmpty(row.value) ? words(`life.${row.life}`) : [words(`life.${row.life}`), " · ", prose(view, row.value)];
  if (!isEmpty(row.value)) return prose(view, row.value);
  return row.of ? who(view, row.of) : "";
}

function changeTags(row) {
  return [
    row.op && row.op !== "set" && tag(words(`op.${row.op}`)),
    row.modality && row.modality !== "asserted" && tag(words(`modality.${row.modality}`), "unsure"),
  ];
}

/** Return a change; without `named` it is on the page of whom it is about. */
function changeItem(view, row, named = true) {
  const line = [named && [who(view, row.e), " "], el("span", { class: "label" }, words(`attr.${row.attr}`)), " ", valueOf(view, row)];
  const before = isEmpty(row.before) ? null : el("div", { class: "muted" }, phrase("entity.before", { value: prose(view, row.before) }));
  return item(line, changeTags(row), before, foldedQuotes(view, row.q));
}

// --- reveals, secrets, knowledge ----------------------------------------------------------------------------------------

/** Return who turned out to be whom, each named as then. */
function revealLine(view, row) {
  const one = oldName(view, row.persona, row.pname);
  const other = oldName(view, row.behind, row.bname);
  if (row.persona !== row.behind) return phrase("reveal.is", { one, other });
  return row.called ? phrase("reveal.called", { words: label(row.called), other }) : [other];
}

/** Return a name of then, linked to the page of whoever bore it. */
function oldName(view, id, name) {
  const row = view.entity(id);
  const text = label(name || (row && row.name) || words("somebody"));
  return row && !isHidden(listOf(row.kind)) ? el("a", { class: "name", href: entityAddress(id) }, text) : text;
}

function revealItem(view, row) {
  return item(revealLine(view, row), [row.status === "proposed" && tag(words("reveal.proposed"), "unsure")],
    labelled("reveal.to", whoList(view, row.to)), foldedQuotes(view, row.q));
}

function secretItem(view, row, withStatus = true) {
  const hushes = inOrder(view.each("hush").filter((hush) => hush.s === row.key));
  const knowers = view.each("known").filter((known) => known.s === row.key && known.stance !== "unaware").map((known) => known.e);
  return item(prose(view, row.text), [withStatus && tag(words(`secret.${row.status}`), row.status), sinceNode(view, "since", row.c)],
    labelled("secret.holders", whoList(view, row.holders)),
    labelled("secret.from", whoList(view, row.from)),
    isHidden("knowledge") ? null : labelled("secret.knowers", whoList(view, knowers)),
    hushes.length ? fold({}, words("secret.history"), () => list(hushes, (hush) => hushLine(view, hush), { cls: "steps" })) : null,
    foldedQuotes(view, row.q));
}

function hushLine(view, row) {
  return [chapterLink(view, row.c), " ", words(`hush.${row.event}`),
    row.to && row.to.length ? [" ", arrow(), " ", whoList(view, row.to, { class: "names inline" })] : null];
}

/** Return what becomes of a secret in a chapter. */
function hushItem(view, row) {
  const secret = view.of("secret").get(row.s);
  return item(secret ? prose(view, secret.text) : "", [tag(words(`hush.${row.event}`))], labelled("reveal.to", whoList(view, row.to)));
}

/** Return what somebody knows; without `named` it is on their own page. */
function knownItem(view, row, named = true) {
  const by = row.by ? labelled("via.by", who(view, row.by)) : null;
  return item([named && [who(view, row.e), " "], el("span", { class: "label" }, words(`stance.${row.stance}`)), " ", prose(view, row.text)],
    [row.via && tag(words(`via.${row.via}`)), sinceNode(view, "since", row.c)], by, foldedQuotes(view, row.q));
}

// --- threads ------------------------------------------------------------------------------------------------------------

function threadTags(row) {
  const health = row.health && words(`thread_health.${row.health}`);
  const status = words(`thread_status.${row.status}`);
  return [tag(words(`thread.${row.kind}`), "kind"), tag(isOpen(row) ? health || status : status, row.health || row.status)];
}

function isOpen(row) {
  return ["open", "dormant", "overdue"].includes(row.status);
}

function threadItem(view, row) {
  return item(prose(view, row.text), threadTags(row), threadPeople(view, row), threadSteps(view, row, (n) => label(chapterOf(view, n))),
    foldedQuotes(view, row.q));
}

function threadPeople(view, row) {
  return labelled("threads.about", whoList(view, row.about));
}

/** Return what happens to a thread, step by step; `chapter` makes the node of a chapter by number. */
function threadSteps(view, row, chapter) {
  const steps = inOrder(view.each("step").filter((step) => step.t === row.key));
  return steps.length ? el("ol", { class: "trail", "aria-label": words("threads.steps") }, steps.map((step) =>
    el("li", { class: step.event }, chapter(step.c), " ", words(`step.${step.event}`)))) : null;
}

/** Return the address of the page of threads with one of them opened. */
function threadAddress(key) {
  return `${address(["threads"])}?t=${encodeURIComponent(key)}`;
}

/** Return a step of a thread in its chapter. */
function stepItem(view, row) {
  const thread = view.of("thread").get(row.t);
  return item(prose(view, thread.text), [tag(words(`thread.${thread.kind}`), "kind"), tag(words(`step.${row.event}`))]);
}
