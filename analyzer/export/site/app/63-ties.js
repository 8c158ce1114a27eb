// What a graph shows: the ties as of a chapter, chosen by family, kind, centre and number.

const GRAPH_MOST = 60;

/** What readers set in the graph; it outlives a change of the chapter. */
const graphKept = {
  families: new Set(FAMILIES), kinds: new Set(["character", "group", "place", "object"]), former: true, centre: "", steps: 1, all: false, upTo: 0,
  chosen: "", places: new Map(), held: new Set(), zoom: null,
};

/** Return every tie of the book between two who are shown, as of now; one told in several ways is one, since the first and over with the last. */
function allTies(view) {
  const ties = new Map();
  for (const row of view.each("relation")) {
    const a = view.root(row.a);
    const b = view.root(row.b);
    if (a === b || !view.entity(a) || !view.entity(b)) continue;
    const ends = MUTUAL.has(row.k) ? [a, b].sort() : [a, b];
    const key = [row.k, ...ends].join("\n");
    const other = ties.get(key);
    const tie = other && (isFormer(row, view.n) || !isFormer(other, view.n)) ? other : { ...row, a, b };
    ties.set(key, other ? { ...tie, since: Math.min(row.since, other.since) } : tie);
  }
  return [...ties.values()];
}

/** Return whether a tie was over by chapter `n`. */
function isFormer(tie, n) {
  return tie.until === undefined ? tie.status === "former" : tie.until <= n;
}

/** Return how many chapters somebody is on the page in. */
function pageCount(view, id) {
  let n = 0;
  for (const { how } of view.presence(id).values()) if (how === "p") n += 1;
  return n;
}

/** Return {ids, ties, total}: who is shown and the ties between them; total counts who could be without a limit. */
function graphData(view, kept) {
  const ties = allTies(view).filter((tie) => kept.families.has(tie.family) && isKindShown(view, tie, kept) && (kept.former || !isFormer(tie, view.n)));
  const beside = neighbours(ties);
  if (kept.centre && view.entity(kept.centre)) return graphAround(view, ties, beside, kept);
  const ranked = [...beside.keys()].sort((a, b) => beside.get(b).size - beside.get(a).size || pageCount(view, b) - pageCount(view, a) || (a < b ? -1 : 1));
  const ids = new Set(kept.all || ranked.length <= GRAPH_MOST * 1.25 ? ranked : ranked.slice(0, GRAPH_MOST));
  return graphWithin(ids, ties, ranked.length);
}

function isKindShown(view, tie, kept) {
  return [tie.a, tie.b].every((id) => kept.kinds.has(view.entity(id).kind));
}

/** Return a Map id -> Set of those tied to them. */
function neighbours(ties) {
  const beside = new Map();
  for (const { a, b } of ties) {
    for (const [one, other] of [[a, b], [b, a]]) {
      if (!beside.has(one)) beside.set(one, new Set());
      beside.get(one).add(other);
    }
  }
  return beside;
}

/** Return what stands within `steps` of the centre. */
function graphAround(view, ties, beside, kept) {
  const centre = view.root(kept.centre);
  let ring = [centre];
  const ids = new Set(ring);
  for (let step = 0; step < kept.steps; step++) {
    ring = ring.flatMap((id) => [...(beside.get(id) || [])]).filter((id) => !ids.has(id));
    for (const id of ring) ids.add(id);
  }
  return graphWithin(ids, ties, ids.size);
}

function graphWithin(ids, ties, total) {
  const shown = ties.filter((tie) => ids.has(tie.a) && ids.has(tie.b));
  return { ids: [...ids].sort(), ties: shown, total };
}

/** Return ties with where each bends, so that several between two do not lie on each other: `bend` in shares of the distance. */
function bentTies(ties) {
  const by = new Map();
  for (const tie of ties) {
    const pair = tie.a < tie.b ? `${tie.a}\n${tie.b}` : `${tie.b}\n${tie.a}`;
    by.set(pair, [...(by.get(pair) || []), tie]);
  }
  const bent = [];
  for (const same of by.values()) {
    const apart = Math.min(0.2, 0.7 / same.length);
    same.forEach((tie, i) => {
      const bend = (i - (same.length - 1) / 2) * apart;
      bent.push({ tie, bend: tie.a < tie.b ? bend : -bend });
    });
  }
  return bent;
}

/** Return what a tie says, in words: "A: parent of ... B". */
function tieWords(view, tie) {
  return words("pictures.graph.tie", {
    a: nameApart(view.name(tie.a)), b: nameApart(view.name(tie.b)), role: words(`role.${tie.k}.a`), other: words(`role.${tie.k}.b`),
  });
}

/** Return since when and until when a tie holds, in words. */
function tieTime(view, tie, n) {
  const since = words("since", { chapter: chapterOf(view, tie.since) }) + (tie.vis === "secret" ? ` · ${words("visibility.secret")}` : "");
  if (!isFormer(tie, n)) return tie.status === "current" || !tie.status ? since : `${since} · ${words(`status.${tie.status}`)}`;
  const until = tie.until === undefined || tie.until <= tie.since ? words("status.former") : words("until", { chapter: chapterOf(view, tie.until) });
  return `${since} · ${until}`;
}
