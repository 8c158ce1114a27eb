// Search over the book as of now: nothing but the rows shown is looked at.

const MOST_HITS = 12; // of a group, before all are asked for

/** Return words as they are compared: without case, accents and the difference of full and half width. */
function folded(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Return folded words without blanks and marks: how names of languages without spaces are compared, and "김 민수" with "김민수". */
function tight(text) {
  return text.replace(/[\p{P}\p{Z}\s]/gu, "");
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function termsOf(query) {
  return folded(query).split(/\s+/).filter((term) => tight(term));
}

/** Return whether words hold a folded term. */
function holds(text, term) {
  const hay = folded(text);
  return hay.includes(term) || (UNSPACED.test(term) && tight(hay).includes(tight(term)));
}

/** Return how well words fit, the less the better; null if they do not. */
function rank(text, terms, query) {
  if (!terms.every((term) => holds(text, term))) return null;
  const hay = folded(text);
  if (hay === query) return 0;
  if (hay.startsWith(query)) return 1;
  return hay.split(/[\s\p{P}]+/u).some((word) => word.startsWith(terms[0])) ? 2 : 3;
}

/** Return all that can be found: `{group, text, href, note}`, made once for a view. */
function searchable(view) {
  view.searchable ??= [...castEntries(view), ...chapterEntries(view), ...storyEntries(view), ...(site.quotes ? quoteEntries(view) : [])];
  return view.searchable;
}

function castEntries(view) {
  const rows = view.each("entity").filter((row) => !isHidden(listOf(row.kind)));
  rows.sort((a, b) => Boolean(b.into) - Boolean(a.into)); // an older name says that it is one, before the same among the names of now
  return rows.flatMap((row) => [...new Set([row.name, ...(row.names || [])])].map((name) => castEntry(view, row, name)));
}

/** Return a name that can be found; an older one leads to whoever bore it. */
function castEntry(view, row, name) {
  const root = view.root(row.key);
  const now = view.entity(root);
  const isOlder = root !== row.key;
  const note = isOlder ? `${words("search.older")} → ${now.name}` : name === row.name ? words(`kind.${row.kind}`) : row.name;
  const href = address(["e", root], { was: isOlder ? row.key : "" });
  return { group: `page.${listOf(now.kind)}`, text: name, href, note, about: root, weight: view.presence(root).size };
}

function chapterEntries(view) {
  return view.chapters().map((row) => {
    const card = view.of("card").get(String(row.n));
    const more = card ? plain(view, card.summary) : "";
    return { group: "search.chapters", text: chapterName(row), more, href: address(["chapter", String(row.n)]), note: "", weight: 0 };
  });
}

function storyEntries(view) {
  const entry = (group, page) => (row) =>
    ({ group, text: plain(view, row.text), href: page === "threads" ? threadAddress(row.key) : pageAddress(page), note: chapterOf(view, row.c), weight: 0 });
  return [
    ...(isHidden("threads") ? [] : view.each("thread").map(entry("search.threads", "threads"))),
    ...(isHidden("secrets") ? [] : view.each("secret").map(entry("search.secrets", "secrets"))),
    ...(isHidden("knowledge") ? [] : view.each("known").map(entry("search.known", "secrets"))),
  ];
}

/** Classes whose rows hold quotes, and the hidden page that takes them away. */
const QUOTED = { said: "relations", turn: "relations", reveal: "reveals", change: "", secret: "secrets", known: "knowledge", thread: "threads" };

function quoteEntries(view) {
  const found = new Map();
  for (const [kind, page] of Object.entries(QUOTED)) {
    if (isHidden(page)) continue;
    for (const row of view.each(kind)) {
      if (kind === "change" && isHidden(row.look ? "looks" : "changes")) continue;
      for (const [chapter, place, text] of row.q || []) {
        if (text) found.set(`${chapter}:${place}:${text}`, { chapter, text });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.chapter - b.chapter).map(({ chapter, text }) =>
    ({ group: "search.quotes", text, href: address(["chapter", String(chapter)]), note: chapterOf(view, chapter), weight: 0 }));
}

/** Return what fits a query, best first. */
function found(view, query) {
  const terms = termsOf(query);
  const whole = folded(query.trim());
  if (!terms.length) return [];
  const hits = [];
  for (const entry of searchable(view)) {
    const direct = rank(entry.text, terms, whole);
    const fits = direct ?? (entry.more && terms.every((term) => holds(`${entry.text} ${entry.more}`, term)) ? 4 : null);
    if (fits !== null) hits.push({ ...entry, fits });
  }
  return hits.sort((a, b) => a.fits - b.fits || b.weight - a.weight);
}

/** Return the first few of the cast and the chapters that fit, each once. */
function suggestions(view, query, most) {
  const seen = new Set();
  const hits = found(view, query).filter((hit) => {
    const fresh = (hit.about || hit.group === "search.chapters") && !seen.has(hit.about || hit.href);
    seen.add(hit.about || hit.href);
    return fresh;
  });
  return hits.slice(0, most);
}

PAGES.search = (view, path, asked) => {
  const query = (asked.get("q") || "").slice(0, 200);
  frame.query.value = query;
  const hits = onePerName(found(view, query));
  const groups = grouped(hits, (hit) => hit.group);
  return {
    title: query ? `${query} · ${words("page.search")}` : words("page.search"),
    body: [
      heading(words("page.search")),
      pageSearch(query),
      el("p", { class: "muted", role: "status" }, !query ? words("search.ask") : hits.length ? counted("search.n", hits.length)
        : phrase("search.nothing", { chapter: label(nowName()) })),
      ...[...groups].map(([group, those]) => hitGroup(group, those, query)),
    ],
  };
};

/** Return hits with whoever is found by several names once. */
function onePerName(hits) {
  const seen = new Set();
  return hits.filter((hit) => !hit.about || (!seen.has(hit.about) && seen.add(hit.about)));
}

function pageSearch(query) {
  const input = el("input", { type: "search", value: query, maxlength: "200", "aria-label": words("search.label"), enterkeyhint: "search" });
  return el("form", { class: "tools", onsubmit: (event) => {
    event.preventDefault();
    window.location.hash = address(["search"], { q: input.value.trim() });
  } }, input, el("button", { type: "submit" }, words("search.go")));
}

function hitGroup(group, hits, query) {
  return section(group, list(hits, (hit) => hitRow(hit, query), { cls: "hits", most: MOST_HITS }));
}

function hitRow(hit, query) {
  return [el("a", { href: hit.href, dir: "auto", lang: site.lang }, marked(hit.text, query)),
    hit.note && [" ", el("span", { class: "muted small" }, label(hit.note))]];
}

/** Return words with what was looked for marked, where it stands there letter by letter. */
function marked(text, query) {
  const term = query.trim();
  const at = term ? text.toLowerCase().indexOf(term.toLowerCase()) : -1;
  if (at < 0) return text;
  return [text.slice(0, at), el("mark", {}, text.slice(at, at + term.length)), text.slice(at + term.length)];
}
