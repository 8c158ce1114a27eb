// The page of one of the cast.

PAGES.e = (view, [id], asked) => {
  const row = id === undefined ? null : view.entity(id);
  if (!row || isHidden(listOf(row.kind))) return null;
  const whole = { key: id, ...row };
  return row.into ? olderPage(view, whole) : entityPage(view, whole, asked.get("was"));
};

/** `was`: the older one by whose name the reader came. */
function entityPage(view, row, was) {
  const parts = [
    section("entity.now", statesNow(view, row)),
    ...relationsOf(view, row.key),
    section("entity.looks", looksOf(view, row.key)),
    section("entity.changes", changesOf(view, row.key)),
    ...mindOf(view, row.key),
    section("entity.threads", isHidden("threads") ? null : threadsOf(view, row.key)),
    section("entity.chapters", chaptersWith(view, row.key)),
  ].filter(Boolean);
  return {
    title: row.name,
    nav: listOf(row.kind),
    body: [
      entityHead(view, row),
      was && view.entity(was) && view.root(was) === row.key
        ? el("p", { class: "note", role: "note" }, phrase("entity.came_from", { one: oldName(view, was) })) : null,
      wasBefore(view, row),
      strip(view, row.key),
      stripLegend(),
      contents(parts),
      ...parts,
    ],
  };
}

function entityHead(view, row) {
  const others = (row.names || []).filter((name) => name !== row.name);
  return el("header", { class: "entity-head" },
    el("p", { class: "eyebrow" }, el("a", { href: pageAddress(listOf(row.kind)) }, words(`page.${listOf(row.kind)}`)),
      row.kind !== "character" && [" · ", words(`kind.${row.kind}`)],
      row.narrator && [" · ", words("narrator")]),
    heading(label(row.name)),
    others.length ? labelled("entity.also", el("ul", { class: "names" }, others.map((name) => el("li", {}, label(name))))) : null,
    el("p", { class: "muted" }, words("entity.since"), " · ", sinceNode(view, "since", row.since, "")));
}

/** Return links to the parts of a long page. */
function contents(parts) {
  if (parts.length < 4) return null;
  const jump = (heading) => (event) => {
    event.preventDefault();
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  };
  return el("nav", { class: "contents", "aria-label": words("entity.contents") }, el("ul", {}, parts.map((part) => {
    const h2 = part.querySelector("h2");
    return el("li", {}, el("a", { href: window.location.hash || "#/", onclick: jump(h2) }, h2.textContent));
  })));
}

// --- who somebody was, and turned out to be -----------------------------------------------------------------------------

/** Return who turned out to be this one: from when on, by which words, with their older pages. */
function wasBefore(view, row) {
  const was = (row.was || []).filter(([id]) => view.entity(id));
  if (!was.length || isHidden("reveals")) return null;
  return el("aside", { class: "turned" }, was.map(([id, chapter, why]) =>
    el("div", {},
      el("p", {}, turnedWords(view, id, row, why), " ", el("span", { class: "muted" }, phrase("in_chapter", { chapter: chapterLink(view, chapter) }))),
      foldedQuotes(view, view.entity(id).q))));
}

function turnedWords(view, id, row, why) {
  const one = oldName(view, id);
  return el("span", {}, phrase(why === "same" ? "entity.same" : "entity.was", { one, other: label(row.name) }));
}

/** Return the page of somebody who turned out to be another: what it was until then, and the way to where it goes on. */
function olderPage(view, row) {
  const root = view.root(row.key);
  const there = Object.entries(row.past || {}).map(([n, how]) => [Number(n), how]).sort(([a], [b]) => a - b);
  const other = who(view, root);
  return {
    title: row.name,
    nav: listOf(row.kind),
    body: [
      entityHead(view, row),
      el("aside", { class: "turned" },
        el("p", {}, phrase(row.why === "same" ? "entity.same" : "entity.was", { one: label(row.name), other }), " ",
          el("span", { class: "muted" }, phrase("in_chapter", { chapter: chapterLink(view, row.at) }))),
        quotesOf(view, row.q),
        el("p", { class: "onward" }, phrase("entity.now_page", { other: who(view, root) }))),
      el("p", { class: "muted" }, words("entity.old_page")),
      section("entity.chapters", there.length ? list(there, ([n, how]) => chapterThere(view, n, how), { cls: "rows", most: 20 }) : null),
    ],
  };
}

// --- parts --------------------------------------------------------------------------------------------------------------

/** Return the states that hold now, as on a card. */
function statesNow(view, row) {
  if (isHidden("changes")) return null;
  const holding = view.each("change").filter((change) => change.e === row.key && change.holds && !change.look);
  if (!holding.length) return null;
  return el("dl", { class: "card states" }, [...grouped(holding, (change) => change.attr)].map(([attr, changes]) => el("div", {},
    el("dt", {}, words(`attr.${attr}`)),
    changes.map((change) => el("dd", {}, valueOf(view, change), " ", sinceNode(view, "since", change.c, "muted small"))))));
}

/** Return rows by what `key` says of them, in order. */
function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    if (!groups.has(key(row))) groups.set(key(row), []);
    groups.get(key(row)).push(row);
  }
  return groups;
}

const FAMILY_ORDER = ["kin", "romance", "bond", "conflict", "work", "place"];

function relationsOf(view, id) {
  if (isHidden("relations")) return [];
  const groups = grouped(view.relations(id), (row) => row.family);
  const pairs = pairsOf(view, id, groups);
  const turns = view.each("turn");
  const inGraph = isThere("graph") && groups.size
    ? el("p", {}, el("a", { href: address(["graph", id]) }, words("entity.in_graph"))) : null;
  return [section("entity.relations", inGraph, FAMILY_ORDER.filter((family) => groups.has(family)).map((family) => [
    el("h3", {}, words(`family.${family}`)),
    pairsIn(view, pairs, family, id, turns),
  ]))];
}

const MOST_PAIRS = 12; // of all families together, before the rest is asked for

/** Return what one is to each other within the families of their relations, those with most passages first: `{family, other, ties}`. */
function pairsOf(view, id, groups) {
  const passages = ({ ties }) => ties.reduce((n, row) => n + view.said(row.key).reduce((m, said) => m + (said.q || []).length, 0), 0);
  const pairs = [...groups].flatMap(([family, rows]) =>
    [...grouped(rows, (row) => (row.a === id ? row.b : row.a))].map(([other, ties]) => ({ family, other, ties })));
  const weights = new Map(pairs.map((pair) => [pair, passages(pair)]));
  return pairs.sort((a, b) => weights.get(b) - weights.get(a));
}

/** Return the pairs of a family, the foremost of all families first and the rest behind a button. */
function pairsIn(view, pairs, family, id, turns) {
  const own = pairs.filter((pair) => pair.family === family);
  const first = new Set(pairs.length > MOST_PAIRS + SPARE ? pairs.slice(0, MOST_PAIRS) : pairs);
  const entry = (pair) => el("li", {}, pairOf(view, pair.other, pair.ties, id, turns));
  const shown = own.filter((pair) => first.has(pair));
  const place = el("ul", { class: "items pairs" }, shown.map(entry));
  if (shown.length === own.length) return place;
  return [place, restOf(place, own.length, () => own.filter((pair) => !first.has(pair)).map(entry))];
}

/** Return all that one is to another within a family of relations. */
function pairOf(view, other, ties, id, turns) {
  return el("div", { class: "pair" }, el("div", { class: "pair-who" }, who(view, other)),
    el("div", {}, ties.map((row) => relationOf(view, row, id, turns))));
}

/** Return a relation as on the page of one of its ends, without the other. */
function relationOf(view, row, id, turns) {
  const own = inOrder(turns.filter((turn) => turn.k === row.k && sameEnds(view, turn, row)));
  const isBefore = row.status === "former" && row.until === row.since; // over before the book told of it
  const when = isBefore ? [] : [sinceWords(view, "since", row.since), row.until && sinceWords(view, "until", row.until)];
  return item([el("span", { class: "role" }, role(row, id))],
    [...relationTags(row), ...when],
    feelings(view, row),
    own.length ? el("ol", { class: "trail" }, own.map((turn) => el("li", { class: turn.turn },
      label(chapterOf(view, turn.c)), " ", words(`turn.${turn.turn}`), turn.turn === "turns" && turn.aff && [" ", arrow(), " ", words(AFFINITY[turn.aff])]))) : null,
    foldedQuotes(view, view.said(row.key).flatMap((said) => said.q || [])));
}

function sameEnds(view, turn, row) {
  const [a, b] = [view.root(turn.a), view.root(turn.b)];
  return (a === row.a && b === row.b) || (a === row.b && b === row.a && words(`role.${row.k}.a`) === words(`role.${row.k}.b`));
}

/** Return how a relation feels by chapter, where that changed. */
function feelings(view, row) {
  const affs = (row.affs || []).filter(([, aff], i, all) => !i || all[i - 1][1] !== aff);
  if (affs.length < 2) return null;
  return el("ol", { class: "trail", "aria-label": words("affinity.trail") }, affs.map(([n, aff]) =>
    el("li", {}, label(chapterOf(view, n)), " ", words(AFFINITY[aff]))));
}

function looksOf(view, id) {
  if (isHidden("looks")) return [];
  const looks = inOrder(view.each("change").filter((row) => row.e === id && row.look));
  if (!looks.length) return [];
  return [looksChart(view, id), fold({ open: looks.length <= 4 }, words("entity.looks_by_chapter"),
    () => el("div", {}, byChapter(view, looks, (row) => changeItem(view, row, false))))];
}

function changesOf(view, id) {
  if (isHidden("changes")) return null;
  const changes = inOrder(view.each("change").filter((row) => row.e === id && !row.look));
  return changes.length ? [statesChart(view, id), byChapter(view, changes, (row) => changeItem(view, row, false))] : null;
}

const MOST_CHAPTERS = 4;

/** Return rows under the chapters they stand in, the newest first. */
function byChapter(view, rows, node) {
  const chapters = [...grouped(rows, (row) => row.c)].sort(([a], [b]) => b - a);
  return list(chapters, ([n, those]) => [el("div", { class: "when" }, chapterLink(view, n)), el("div", {}, list(those, node, { most: MOST_STORIES }))],
    { cls: "by-chapter", most: MOST_CHAPTERS });
}

const MOST_STORIES = 4; // secrets or threads, each with people and chapters of its own

/** Return what somebody knows and keeps, what is kept from them, and what is known of them. */
function mindOf(view, id) {
  const secrets = isHidden("secrets") ? [] : inOrder(view.each("secret")).reverse();
  const known = isHidden("knowledge") ? [] : inOrder(view.each("known")).reverse();
  const has = (ids) => (ids || []).some((one) => view.root(one) === id);
  const of = (rows) => rows.filter((row) => spokenOf(view, row.text).includes(id));
  const kept = secrets.filter((row) => has(row.holders));
  const from = secrets.filter((row) => has(row.from) && !has(row.holders));
  return [
    section("entity.knows", list(known.filter((row) => row.e === id), (row) => knownItem(view, row, false))),
    section("entity.keeps", list(kept, (row) => secretItem(view, row), { most: MOST_STORIES })),
    section("entity.kept_from", list(from, (row) => secretItem(view, row), { most: MOST_STORIES })),
    section("entity.known_of",
      list(of(known).filter((row) => row.e !== id), (row) => knownItem(view, row), { most: MOST_STORIES }),
      list(of(secrets).filter((row) => !kept.includes(row) && !from.includes(row)), (row) => secretItem(view, row), { most: MOST_STORIES })),
  ];
}

function threadsOf(view, id) {
  const threads = view.each("thread").filter((row) => (row.about || []).some((one) => view.root(one) === id) || spokenOf(view, row.text).includes(id));
  return list(threads.reverse().sort((a, b) => isOpen(b) - isOpen(a)), (row) => threadItem(view, row), { most: MOST_STORIES });
}

const HOW = { p: "presence.on_page", m: "presence.mentioned", h: "presence.historical" };

function chaptersWith(view, id) {
  const there = [...view.presence(id)].sort(([a], [b]) => a - b);
  return list(there, ([n, { how, mentions }]) => chapterThere(view, n, how, mentions), { cls: "rows", most: 12 });
}

function chapterThere(view, n, how, mentions) {
  return [chapterLink(view, n, true), " ", el("span", { class: "muted small" }, words(HOW[how]),
    mentions ? [" · ", counted("presence.mentions", mentions)] : null)];
}
