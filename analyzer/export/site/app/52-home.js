// The home page: where the reader is, and where to go.

const MOST_THREADS = 5;
const MOST_CHANGES = 4; // of each kind

PAGES.home = (view) => ({
  title: "",
  body: [
    el("p", { class: "eyebrow" }, label(words("as_of", { chapter: chapterOf(view, view.n) }))),
    heading(label(site.title)),
    site.subtitle && el("p", { class: "subtitle", lang: site.lang, dir: "auto" }, site.subtitle),
    newestCard(view),
    el("div", { class: "halves" }, changedThere(view), openThreads(view)),
    counts(view),
    whereToGo(),
  ],
});

/** Return the card of the newest chapter read, with who is on its page. */
function newestCard(view) {
  const row = view.of("chapter").get(String(view.n));
  const card = view.of("card").get(String(view.n));
  if (!row) return null;
  return el("section", { class: "card newest", "aria-labelledby": "newest" },
    el("p", { class: "eyebrow" }, words("home.newest")),
    el("h2", { id: "newest" }, chapterLink(view, view.n, true)),
    card && !isEmpty(card.summary) ? prose(view, card.summary, "p") : null,
    labelled("home.people_there", whoList(view, peopleThere(view, view.n), { class: "names chips" })),
    el("p", { class: "onward" }, el("a", { href: address(["chapter", String(view.n)]) }, words("home.whole_chapter"))));
}

/** Return who is on the page of a chapter: as its card has it, else as its words name them. */
function peopleThere(view, n) {
  const card = view.of("card").get(String(n));
  if (card && card.people && card.people.length) return card.people;
  return thereIn(view, n, "p").filter((id) => (view.entity(view.root(id)) || {}).kind === "character");
}

/** Return who is in a chapter in one way, those most often named first. */
function thereIn(view, n, how) {
  const there = Object.entries(view.of("there").get(String(n)) || {}).filter(([, [as]]) => as === how);
  return there.sort(([, a], [, b]) => b[1] - a[1]).map(([id]) => id);
}

function changedThere(view) {
  const events = happenings(view).filter((event) => event.c === view.n && event.type !== "thread");
  return section("home.changed", events.length && typedRows(view, events, MOST_CHANGES));
}

function openThreads(view) {
  if (isHidden("threads")) return null;
  const open = view.each("thread").filter(isOpen).reverse();
  return section("home.open_threads", list(open.slice(0, MOST_THREADS), (row) => item(prose(view, row.text), threadTags(row))),
    open.length > MOST_THREADS && el("p", {}, el("a", { href: pageAddress("threads") }, words("home.all_threads"))));
}

function counts(view) {
  const numbers = [
    ["chapters", view.n, "chapters"],
    ...Object.entries(LISTS).map(([page, kinds]) => [page, view.cast(...kinds).length, page]),
    ["relations", view.of("relation").size, "graph"],
    ["threads", view.each("thread").filter(isOpen).length, "threads"],
  ];
  const tiles = numbers.filter(([, n, page]) => n && isThere(page)).map(([key, n, page]) =>
    el("li", {}, el("a", { href: pageAddress(page) }, el("strong", {}, number(n)), " ", countedWord(key, n))));
  return section("home.so_far", el("ul", { class: "tiles" }, tiles));
}

/** Return the noun that goes with a number, without the number. */
function countedWord(key, n) {
  return counted(`count.${key}`, n);
}

function whereToGo() {
  const pages = ["people", "graph", "timeline", "threads", "secrets", "chapters", "places", "groups", "things", "meet"].filter(isThere);
  return section("home.go", el("ul", { class: "ways" }, pages.map((page) =>
    el("li", {}, el("a", { href: pageAddress(page) },
      el("strong", {}, words(`page.${page}`)), el("span", {}, words(`about.${page}`)))))));
}
