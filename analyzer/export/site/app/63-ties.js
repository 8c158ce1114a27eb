// What a graph shows: the ties as of a chapter, chosen by family, kind, centre and number.

const GRAPH_MOST = 60; // names in the picture before all are asked for
const GRAPH_MOST_TIES = 120; // more lines than this lie on each other

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

/** Return {ids, ties, hidden}: who is shown, the ties between them, and how many ties are not shown for want of room.
 *
 * Of too many the nearest to the centre come first, then the strongest of each two, then those that most passages show.
 */
function graphData(view, kept) {
  const chosen = allTies(view).filter((tie) => kept.families.has(tie.family) && isKindShown(view, tie, kept) && (kept.former || !isFormer(tie, view.n)));
  const centre = kept.centre && view.entity(kept.centre) ? view.root(kept.centre) : "";
  const beside = neighbours(chosen);
  const rings = centre ? graphRings(beside, centre, kept.steps) : new Map([...beside.keys()].map((id) => [id, 0]));
  const ties = chosen.filter((tie) => rings.has(tie.a) && rings.has(tie.b));
  const some = kept.all || (rings.size <= GRAPH_MOST * 1.25 && ties.length <= GRAPH_MOST_TIES * 1.25) ? null : strongest(view, ties, rings, centre);
  const ids = some ? some.ids : new Set(rings.keys());
  const shown = some ? some.ties : ties;
  return { ids: [...ids].sort(), ties: shown, hidden: ties.length - shown.length };
}

/** Return {ids, ties}: as many ties as the picture holds. */
function strongest(view, ties, rings, centre) {
  const passages = (tie) => view.said(tie.key).reduce((n, said) => n + (said.q || []).length, 0);
  const weighed = ties.map((tie) => ({ tie, pair: pairKey(tie), ring: Math.max(rings.get(tie.a), rings.get(tie.b)), weight: passages(tie) }))
    .sort((one, two) => two.weight - one.weight || one.tie.since - two.tie.since);
  const nth = new Map();
  for (const one of weighed) {
    one.nth = nth.get(one.pair) || 0;
    nth.set(one.pair, one.nth + 1);
  }
  weighed.sort((one, two) => one.ring - two.ring || one.nth - two.nth); // a stable sort: the strongest stay first
  const ids = new Set(centre ? [centre] : []);
  const taken = new Set();
  for (const { tie } of weighed) {
    const fresh = !ids.has(tie.a) + !ids.has(tie.b);
    if (taken.size === GRAPH_MOST_TIES || ids.size + fresh > GRAPH_MOST) continue;
    taken.add(tie);
    ids.add(tie.a).add(tie.b);
  }
  return { ids, ties: ties.filter((tie) => taken.has(tie)) };
}

function pairKey({ a, b }) {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
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

/** Return a Map id -> how many steps from the centre, of all within `steps`. */
function graphRings(beside, centre, steps) {
  const rings = new Map([[centre, 0]]);
  for (const [id, ring] of rings) {
    if (ring === steps) continue;
    for (const other of beside.get(id) || []) if (!rings.has(other)) rings.set(other, ring + 1);
  }
  return rings;
}

/** Return ties with where each bends, so that several between two do not lie on each other: `bend` in shares of the distance. */
function bentTies(ties) {
  const by = new Map();
  for (const tie of ties) {
    const pair = pairKey(tie);
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
