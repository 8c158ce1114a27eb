// What happens in a chapter, of whatever class, in one shape: for the timeline, chapter pages and the home page.

/** Kinds of happenings, and the hidden page that takes each away. */
const HAPPENINGS = {
  reveal: "reveals",
  turn: "relations",
  secret: "secrets",
  relation: "relations",
  entrance: null,
  change: "changes",
  look: "looks",
  thread: "threads",
};

const WEIGHTY = ["romance", "kin", "conflict", "bond", "work", "place"]; // families of relations, what is told of first

function shownHappenings() {
  return Object.keys(HAPPENINGS).filter((type) => !isHidden(HAPPENINGS[type]));
}

/** Return all that happened so far in the order of the book: `{type, c, where, ids, node()}`. */
function happenings(view) {
  const shown = shownHappenings();
  return inOrder(allHappenings(view)).filter((event) => shown.includes(event.type));
}

function allHappenings(view) {
  const event = (type, row, ids, node) => ({ type, c: row.c, where: row.where, ids: ids.map((id) => view.root(id)), node });
  return [
    ...view.cast().filter((row) => !isHidden(listOf(row.kind)))
      .map((row) => event("entrance", { c: row.since }, [row.key], () => entranceItem(view, row))),
    ...view.each("relation").map((row) => ({
      ...event("relation", { c: row.since }, [row.a, row.b], () => relationItem(view, row)), family: row.family })),
    ...view.each("change").map((row) => event(row.look ? "look" : "change", row, [row.e, ...given(row.of)], () => changeItem(view, row))),
    ...view.each("turn").map((row) => event("turn", row, [row.a, row.b], () => turnItem(view, row))),
    ...view.each("reveal").map((row) => event("reveal", row, [row.persona, row.behind, ...(row.to || [])], () => revealItem(view, row))),
    ...view.each("hush").filter((row) => row.event !== "touched").map((row) => event("secret", row, hushed(view, row), () => hushItem(view, row))),
    ...view.each("step").filter((row) => view.of("thread").has(row.t)).map((row) => event("thread", row, threadCast(view, row), () => stepItem(view, row))),
  ];
}

/** Return whether somebody's entrance is worth a word: people and groups, and whatever has a name. */
function isNoted(view, id) {
  const row = view.entity(id);
  return row && (["character", "group"].includes(row.kind) || !row.unnamed);
}

/** Return happenings by their kind: what sort on the one side, a list on the other. Who enters is named in one line. */
function typedRows(view, found, most) {
  const events = found.filter((event) => event.type !== "entrance" || isNoted(view, event.ids[0]));
  const groups = grouped(events, (event) => event.type);
  if (groups.has("relation")) groups.get("relation").sort((a, b) => WEIGHTY.indexOf(a.family) - WEIGHTY.indexOf(b.family));
  const types = Object.keys(HAPPENINGS).filter((type) => groups.has(type));
  return el("ul", { class: "typed" }, types.map((type) => el("li", {},
    tag(words(`timeline.${type}`), `type type-${type}`),
    el("div", {}, type === "entrance"
      ? whoList(view, groups.get(type).map((event) => event.ids[0]), { class: "names spaced" })
      : list(groups.get(type), (event) => event.node(), { most })))));
}

function given(id) {
  return id ? [id] : [];
}

function hushed(view, row) {
  const secret = view.of("secret").get(row.s);
  return [...(row.to || []), ...((secret && secret.holders) || [])];
}

function threadCast(view, row) {
  const thread = view.of("thread").get(row.t);
  return (thread && thread.about) || [];
}

/** Return the cast a Text speaks of. */
function spokenOf(view, text) {
  return (text || []).filter((id, i) => i % 2 && id !== "?").map((id) => view.root(id));
}
