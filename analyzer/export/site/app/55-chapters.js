// The list of chapters and the page of each.

PAGES.chapters = (view) => ({
  title: words("page.chapters"),
  body: [
    heading(words("page.chapters")),
    el("p", { class: "muted lead" }, words("about.chapters")),
    el("ol", { class: "chapter-list" }, view.chapters().map((row) => el("li", {}, chapterEntry(view, row)))),
  ],
});

function chapterEntry(view, row) {
  const card = view.of("card").get(String(row.n));
  return el("article", {},
    el("h2", {}, chapterLink(view, row.n, true)),
    card && !isEmpty(card.summary) ? prose(view, card.summary, "p") : null,
    whoList(view, peopleThere(view, row.n).slice(0, MOST), { class: "names small" }));
}

PAGES.chapter = (view, [n]) => {
  const row = /^\d+$/.test(n || "") ? view.of("chapter").get(n) : null;
  return row ? { title: chapterName(row), nav: "chapters", body: chapterBody(view, row) } : null;
};

function chapterBody(view, row) {
  const n = row.n;
  return [
    el("p", { class: "eyebrow" }, el("a", { href: pageAddress("chapters") }, words("page.chapters"))),
    heading(label(chapterName(row))),
    chapterCard(view, n),
    section("chapters.people", thereGroups(view, n)),
    ...chapterEvents(view, n),
    section("chapters.knowledge", learnt(view, n)),
    nextAndPrevious(view, n),
  ];
}

function chapterCard(view, n) {
  const card = view.of("card").get(String(n));
  if (!card) return isHidden("cards") ? null : el("p", { class: "muted" }, words("chapters.no_card"));
  const time = isEmpty(card.time) ? null : prose(view, card.time);
  return el("div", { class: "card chapter-card" },
    isEmpty(card.summary) ? null : prose(view, card.summary, "p"),
    labelled("chapters.time", time),
    isHidden("places") ? null : labelled("chapters.places", whoList(view, card.places)),
    labelled("chapters.eyes", card.eyes ? who(view, card.eyes) : null));
}

function thereGroups(view, n) {
  return Object.keys(HOW).map((how) => {
    const ids = thereIn(view, n, how).filter((id) => view.entity(id) && !isHidden(listOf(view.entity(id).kind)));
    return ids.length ? el("div", { class: `there there-${how}` }, labelled(HOW[how], whoList(view, ids))) : null;
  });
}

const CHAPTER_PARTS = [
  ["entrance", "chapters.entrances"], ["reveal", "chapters.reveals"], ["relation", "chapters.relations"], ["turn", "chapters.turns"],
  ["change", "chapters.changes"], ["look", "chapters.looks"], ["thread", "chapters.threads"],
];

function chapterEvents(view, n) {
  const events = grouped(happenings(view).filter((event) => event.c === n), (event) => event.type);
  const parts = CHAPTER_PARTS.map(([type, key]) => {
    const those = events.get(type) || [];
    return section(key, type === "entrance" ? whoList(view, those.map((event) => event.ids[0]), { class: "names spaced" })
      : list(those, (event) => event.node()));
  });
  return [...parts, isHidden("secrets") ? null : section("chapters.secrets", secretsIn(view, n))];
}

/** Return the secrets that come up in a chapter, and what becomes of older ones. */
function secretsIn(view, n) {
  const fresh = inOrder(view.each("secret").filter((row) => row.c === n));
  const hushes = inOrder(view.each("hush").filter((row) => row.c === n && !fresh.some((secret) => secret.key === row.s)));
  return [list(fresh, (row) => secretItem(view, row)), list(hushes, (row) => hushItem(view, row))];
}

function learnt(view, n) {
  if (isHidden("knowledge")) return null;
  return list(inOrder(view.each("known").filter((row) => row.c === n)), (row) => knownItem(view, row));
}

/** Return links to the chapters beside this one, within what is shown. */
function nextAndPrevious(view, n) {
  const link = (key, at, rel) => view.of("chapter").has(String(at)) && el("a", { class: rel, rel, href: address(["chapter", String(at)]) },
    el("span", { class: "muted" }, words(key)), label(chapterName(view.of("chapter").get(String(at)))));
  return el("nav", { class: "beside", "aria-label": words("page.chapters") }, link("chapters.previous", n - 1, "prev"), link("chapters.next", n + 1, "next"));
}
