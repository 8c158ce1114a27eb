// Words of the book on the page: names, text that speaks of the cast, quotes, names of chapters.

/** Korean particles behind a consonant and behind a vowel. */
const PARTICLES = [["은", "는"], ["이", "가"], ["을", "를"], ["과", "와"], ["으로", "로"]];
const PARTICLE = /^(으로|은|는|이|가|을|를|과|와|로)(?![\p{L}\p{N}\p{M}_])/u;
const FIRST_SYLLABLE = 0xac00;
const SYLLABLES = 11172;
const FINALS = 28; // final sounds of a syllable, none among them
const RIEUL = 8;

/** Return a Korean particle as it stands behind a name: by whether its last syllable ends in a consonant. */
function particleBehind(name, particle) {
  const pair = PARTICLES.find((forms) => forms.includes(particle));
  const last = name ? name.charCodeAt(name.length - 1) - FIRST_SYLLABLE : -1;
  if (!pair || last < 0 || last >= SYLLABLES) return particle;
  const final = last % FINALS;
  return final && !(final === RIEUL && pair[1] === "로") ? pair[0] : pair[1];
}

/** Return the parts of a Text in order: strings, and `{id, name}` for the cast. */
function parts(view, text) {
  const found = [];
  let name = "";
  (text || []).forEach((part, i) => {
    if (i % 2) {
      name = part === "?" ? words("somebody") : view.name(part);
      found.push({ id: part, name });
    } else if (part) {
      const particle = i && PARTICLE.exec(part);
      found.push(particle ? particleBehind(name, particle[1]) + part.slice(particle[1].length) : part);
    }
  });
  return found;
}

/** Return a Text as plain words. */
function plain(view, text) {
  return parts(view, text).map((part) => (typeof part === "string" ? part : part.name)).join("");
}

/** Return a Text as an element, the cast in it linked. */
function prose(view, text, tag = "span") {
  const children = parts(view, text).map((part) => (typeof part === "string" ? part : who(view, part.id)));
  return el(tag, { class: "prose", dir: "auto", lang: site.lang }, children);
}

function isEmpty(text) {
  return !text || !text.some(Boolean);
}

/** Return words with nodes for their `{name}`s, in whatever order the language has them. */
function phrase(key, nodes) {
  return words(key)
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = part.slice(1, -1);
      return part.startsWith("{") && Object.hasOwn(nodes, name) ? nodes[name] : part;
    });
}

/** Pages of lists, and which of the cast each holds. */
const LISTS = {
  people: ["character"],
  groups: ["group"],
  places: ["place"],
  things: ["object", "text", "event", "lore"],
};

/** Return the page that lists a kind of the cast. */
function listOf(kind) {
  return Object.keys(LISTS).find((page) => LISTS[page].includes(kind)) || "things";
}

function isHidden(page) {
  return (site.hidden || []).includes(page);
}

/** Return the address of a page, with what it is asked for (empty values left out). */
function address(path, asked) {
  const query = new URLSearchParams(Object.entries(asked || {}).filter(([, value]) => value));
  return `#/${path.map(encodeURIComponent).join("/")}${query.size ? `?${query}` : ""}`;
}

function entityAddress(id) {
  return address(["e", id]);
}

/** Words of the manuscript of more than this many characters are cut to a few lines. */
const LONG = 100;

/** Return a name or a title: words with a direction of their own. */
function label(text) {
  return bdi(text, { dir: "auto", class: text.length > LONG ? "long" : null });
}

/** Return words cut to what a window's title can hold, without signs that would turn the rest of it round. */
function short(text) {
  const signs = [...text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")];
  return signs.length > LONG ? `${signs.slice(0, LONG).join("")}…` : text;
}

/** Return somebody's name as known now, linked to their page if there is one. */
function who(view, id, attrs) {
  const root = view.root(id);
  const row = view.entity(root);
  const name = label(id === "?" ? words("somebody") : view.name(id));
  if (!row || isHidden(listOf(row.kind))) return el("span", { class: "name", ...attrs }, name);
  return el("a", { class: "name", href: entityAddress(root), ...attrs }, name);
}

/** Return several of the cast as a list, whoever is one by now once; null for nobody. */
function whoList(view, ids, attrs) {
  const roots = [...new Set((ids || []).map((id) => view.root(id)))];
  if (!roots.length) return null;
  return el("ul", { class: "names", ...attrs }, roots.map((id) => el("li", {}, who(view, id))));
}

/** Return a chapter's name, such as "Chapter 5" or "Prologue". */
function chapterLabel(row) {
  const label = row.label || (row.kind === "chapter" ? String(row.n) : "");
  return words(`chapter.${row.kind}`, { label }).trim();
}

/** Return a chapter's name with its title. */
function chapterName(row) {
  return row.title ? words("chapter.titled", { chapter: chapterLabel(row), title: row.title }) : chapterLabel(row);
}

/** Return the label of chapter `n`; its number alone where the view does not have it. */
function chapterOf(view, n) {
  const row = view.of("chapter").get(String(n));
  return row ? chapterLabel(row) : words("chapter.chapter", { label: String(n) });
}

/** Return chapter `n` linked, by its label or by its whole name. */
function chapterLink(view, n, whole = false) {
  const row = view.of("chapter").get(String(n));
  const text = row && whole ? chapterName(row) : chapterOf(view, n);
  if (!row) return el("span", { class: "chapter" }, text);
  return el("a", { class: "chapter", href: address(["chapter", String(n)]) }, label(text));
}

/** Return words such as "since chapter 5", the chapter linked. */
function sinceNode(view, key, n, cls = "muted") {
  return el("span", { class: cls }, phrase(key, { chapter: chapterLink(view, n) }));
}

/** Return the same without a link: where the words beside it lead there. */
function sinceWords(view, key, n) {
  return el("span", { class: "muted" }, phrase(key, { chapter: label(chapterOf(view, n)) }));
}

/** Return quotes, each once: what shows two things is quoted for both. */
function once(quotes) {
  return [...new Map((quotes || []).map((row) => [JSON.stringify(row), row])).values()];
}

/** Return quotes, each with the chapter it stands in; in a site without quotes the chapters alone. */
function quotesOf(view, quotes) {
  const rows = once(quotes);
  if (!rows.length) return null;
  if (!site.quotes) return el("p", { class: "places" }, chaptersOf(view, rows.map((row) => row[0])));
  return el("div", { class: "quotes" }, rows.map((row) => quote(view, row)));
}

function quote(view, [chapter, , text, source]) {
  return el("figure", { class: `quote ${source === "thought" ? "thought" : ""}` },
    text && el("blockquote", { lang: site.lang, dir: "auto" }, text),
    el("figcaption", {}, chapterLink(view, chapter), source && source !== "narration" && [" · ", words(`source.${source}`)]));
}

/** Return chapters linked, in order, each once. */
function chaptersOf(view, numbers) {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  return el("span", { class: "chapters" }, sorted.map((n) => [chapterLink(view, n), " "]));
}

/** Return a line that opens; what is behind it is made when it does. */
function fold(attrs, line, inside) {
  const place = el("details", { class: "fold", ...attrs }, el("summary", {}, line));
  const fill = () => place.open && place.append(inside());
  place.addEventListener("toggle", fill, { once: true });
  return place;
}

const FEW = 3; // chapters that are named without being asked for

/** Return quotes behind a line that opens; null where there are none. */
function foldedQuotes(view, quotes) {
  const rows = once(quotes);
  if (!rows.length) return null;
  const nChapters = new Set(rows.map((row) => row[0])).size;
  if (!site.quotes && nChapters <= FEW) return quotesOf(view, rows);
  const line = site.quotes ? counted("quotes.n", rows.length) : counted("list.n_chapters", nChapters);
  return fold({}, line, () => quotesOf(view, rows));
}
