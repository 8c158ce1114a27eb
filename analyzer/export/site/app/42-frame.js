// The frame around every page: header, navigation, footer.

/** Nodes of the frame that change, by name. */
const frame = {};

const NAVIGATION = [
  ["nav.story", ["home", "chapters", "timeline", "threads", "secrets"]],
  ["nav.cast", ["people", "groups", "places", "things"]],
  ["nav.pictures", ["graph", "meet"]],
  ["nav.author", ["waits", "odd", "bill"]],
];
const FOR_THE_AUTHOR = ["waits", "odd", "bill"];

/** Return whether a page is part of this site. */
function isThere(page) {
  if (FOR_THE_AUTHOR.includes(page)) return isReport;
  if (page === "secrets") return !(isHidden("secrets") && isHidden("knowledge"));
  return !isHidden(page) && !(page === "graph" && isHidden("relations"));
}

function pageAddress(page) {
  return page === "home" ? "#/" : address([page]);
}

/** Build the frame, once. */
function buildFrame() {
  frame.main = el("main", { id: "main", tabindex: "-1" });
  frame.live = el("p", { class: "unseen", role: "status", "aria-live": "polite" });
  frame.nav = navigation();
  frame.header = header();
  frame.footer = el("footer", { class: "foot" });
  frame.dialog = readingDialog();
  const root = document.getElementById("app") || document.body.appendChild(el("div", { id: "app" }));
  root.replaceChildren(
    el("a", { class: "skip", href: "#main", onclick: skip }, words("skip")),
    frame.header, frame.nav, frame.main, frame.footer, frame.dialog, frame.live);
}

/** Go to the page itself; the address stays, since it says which page this is. */
function skip(event) {
  event.preventDefault();
  focusHeading();
}

function focusHeading() {
  const heading = frame.main.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
  if (heading) heading.scrollIntoView({ block: "nearest" });
}

function announce(text) {
  frame.live.textContent = "";
  window.setTimeout(() => { frame.live.textContent = text; }, 50); // a change is what is read out
}

function header() {
  frame.search = searchBox();
  frame.menu = el("button", { type: "button", class: "icon menu", "aria-expanded": "false", "aria-controls": "pages",
    "aria-label": words("menu"), onclick: () => openMenu(!frame.nav.classList.contains("open")) }, icon("menu"));
  frame.find = el("button", { type: "button", class: "icon find", "aria-label": words("search.label"), onclick: openSearch },
    icon("search"));
  return el("header", { class: "head" },
    el("a", { class: "book", href: "#/", lang: site.lang, dir: "auto" }, site.title || words("page.home")),
    frame.search, frame.find, frame.menu, asOfBar());
}

/** Return the bar that says as of when the book is shown: one back, the button, a slim slider, one on. */
function asOfBar() {
  frame.back = el("button", { type: "button", class: "icon back", "aria-label": words("read.back"),
    onclick: () => goTo(state.at - 1) }, icon("back"));
  frame.forth = el("button", { type: "button", class: "icon forth", "aria-label": words("read.forth"),
    onclick: stepForth }, icon("forth"));
  frame.asOf = el("button", { type: "button", class: "asof", "aria-haspopup": "dialog", onclick: openReading });
  frame.slim = readSlider("slim");
  frame.bar = el("div", { class: "asof-bar" }, frame.back, el("div", { class: "asof-mid" }, frame.asOf, frame.slim.node), frame.forth);
  return frame.bar;
}

/** Go one chapter on; behind the last one read the reader is asked. */
function stepForth() {
  if (state.at < chain.length) goTo(state.at + 1);
  else openReading();
}

function openMenu(opens) {
  frame.nav.classList.toggle("open", opens);
  frame.menu.setAttribute("aria-expanded", String(opens));
}

function openSearch() {
  frame.header.classList.add("searching");
  frame.search.querySelector("input").focus();
}

function navigation() {
  const lists = NAVIGATION.map(([title, pages]) => [title, pages.filter(isThere)]).filter(([, pages]) => pages.length);
  return el("nav", { id: "pages", class: "pages", "aria-label": words("nav.label") },
    lists.map(([title, pages], i) => [
      el("h2", { id: `nav-${i}` }, words(title)),
      el("ul", { "aria-labelledby": `nav-${i}` }, pages.map((page) =>
        el("li", {}, el("a", { href: pageAddress(page), "data-page": page }, words(`page.${page}`))))),
    ]),
    el("ul", { class: "nav-more" },
      el("li", {}, el("a", { href: pageAddress("help"), "data-page": "help" }, words("page.help"))),
      el("li", {}, coloursButton())));
}

function coloursButton() {
  const now = () => words("theme.now", { value: words(`theme.${colours()}`) });
  const turn = (event) => {
    const next = COLOURS[(COLOURS.indexOf(colours()) + 1) % COLOURS.length];
    remember("colours", next);
    applyColours(next);
    event.currentTarget.textContent = now();
  };
  return el("button", { type: "button", class: "plain colours", onclick: turn }, now());
}

/** Bring the frame up to the chapter and the page shown. */
function refreshFrame(page) {
  const begun = state.at > 0;
  document.body.classList.toggle("begun", begun);
  frame.asOf.replaceChildren(...(begun ? asOfWords() : [words("read.title")]));
  frame.back.disabled = state.at <= 1;
  frame.forth.disabled = state.at >= chain.length && isReport;
  frame.slim.refresh();
  for (const link of frame.nav.querySelectorAll("a")) {
    if (link.dataset.page === page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  frame.footer.replaceChildren(...footer());
}

/** Return the words of the button: with the chapter's title, and without it where there is no room. */
function asOfWords() {
  return [["whole", nowName()], ["brief", chapterOf(state.view, state.at)]].map(([cls, chapter]) =>
    el("span", { class: `asof-${cls}` }, label(words("as_of", { chapter }))));
}

function footer() {
  const licence = site.licence || {};
  const source = site.source || {};
  return [
    state.at ? el("p", {}, label(words("as_of", { chapter: nowName() }))) : null,
    source.url || source.text ? el("p", {}, outward(source.url, source.text || words("footer.source"))) : null,
    site.credits && site.credits.length
      ? el("p", {}, el("strong", {}, words("footer.credits")), " ", site.credits.map((line) => [label(line), " "]))
      : null,
    licence.text || licence.url
      ? el("p", {}, el("strong", {}, words("footer.licence")), " ", outward(licence.url, licence.text || licence.url))
      : null,
    site.ahead ? el("p", { class: "ahead" }, words("footer.ahead")) : null,
    site.ahead ? null : el("p", { class: "muted" }, words("footer.noindex")),
  ].filter(Boolean);
}

/** Return a link out of the site; an address that is no web address is words alone. */
function outward(url, text) {
  const isWeb = /^https?:\/\//i.test(url || "");
  return isWeb ? el("a", { href: url, rel: "noopener noreferrer", dir: "auto" }, text) : label(text);
}

/** Lines of the few pictures of buttons, in a box of 24. */
const ICONS = {
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  search: ["M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14", "M16 16l5 5"],
  back: ["M15 5l-7 7l7 7"],
  forth: ["M9 5l7 7l-7 7"],
  close: ["M6 6l12 12", "M18 6l-12 12"],
};

function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: `glyph glyph-${name}`, "aria-hidden": "true", focusable: "false" },
    ICONS[name].map((d) => svg("path", { d })));
}
