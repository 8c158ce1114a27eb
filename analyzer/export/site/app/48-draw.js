// Drawing a page, going from one to another, and finding one's place again.

/** Pages by name: each takes the view, the rest of its path and what it is asked for, and returns `{title, body}`.
 *
 * `title` is that of the document; `body` a list of nodes, its heading first; `wide` a page that needs all the room there is.
 */
const PAGES = {};

function heading(...children) {
  return el("h1", { tabindex: "-1" }, children);
}

/** Return the page the address asks for as of now. What is not known, not there and hidden cannot be told apart. */
function pageOf({ page, path, asked }) {
  if (!state.view) return welcomePage();
  const maker = Object.hasOwn(PAGES, page) && (page === "e" || page === "chapter" || isThere(page)) ? PAGES[page] : null;
  if (!maker) return noPage();
  return maker(state.view, path, asked) || unknownPage(page === "chapter" ? "unknown.chapter" : "unknown.entity");
}

/** Return the page of an address that leads nowhere, whatever the chapter. */
function noPage() {
  return {
    title: words("page.nowhere"),
    body: [
      heading(words("page.nowhere")),
      el("p", {}, phrase("unknown.address", { home: el("a", { href: pageAddress("home") }, words("page.home")) })),
    ],
  };
}

function unknownPage(key) {
  const chapter = label(nowName());
  return {
    title: words("page.unknown"),
    body: [
      heading(words("page.unknown")),
      el("p", {}, phrase(key, { chapter })),
      el("p", { class: "muted" }, words("unknown.why")),
      el("p", {}, el("button", { type: "button", class: "main", onclick: openReading }, words("read.said_further"))),
    ],
  };
}

/** Draw the page and the frame. `keepsPlace`: it is the page that was there, as of another chapter. */
function draw({ keepsPlace = false }) {
  const asked = route();
  const y = window.scrollY;
  frame.query.value = "";
  const page = pageOf(asked);
  frame.main.className = page.bare ? "bare" : page.wide ? "wide" : "";
  frame.main.replaceChildren(...page.body.flat().filter(Boolean));
  document.title = [page.title, site.title || words("page.home")].filter(Boolean).map(short).join(" · ");
  refreshFrame(page.nav || asked.page);
  openMenu(false);
  if (keepsPlace) window.scrollTo(0, y);
}

/** Another address: draw its page, go to its top (or where one was, coming back) and to its heading. */
function moved() {
  const place = window.history.state;
  draw({});
  const heading = frame.main.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
  window.scrollTo(0, place && Number.isFinite(place.y) ? place.y : 0);
}

/** Note in the history how far down the page one is, for the way back and for a reload. */
function notePlace() {
  window.history.replaceState({ y: window.scrollY }, "");
}

let noting = 0;

function scrolled() {
  window.clearTimeout(noting);
  noting = window.setTimeout(notePlace, 250);
}

// --- keys ---------------------------------------------------------------------------------------------------------------

const KEYS = {
  "/": openSearch,
  "[": () => state.at > 1 && goTo(state.at - 1),
  "]": () => state.at < chain.length && goTo(state.at + 1),
  "r": openReading,
};

function keysAreOn() {
  return recall("keys") !== false;
}

function keyPressed(event) {
  if (event.key === "Escape") openMenu(false);
  const isTyping = event.target.closest && event.target.closest("input, textarea, select, dialog, [contenteditable]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !keysAreOn()) return;
  if (!Object.hasOwn(KEYS, event.key) || !state.at) return;
  event.preventDefault();
  KEYS[event.key]();
}

// --- the start ----------------------------------------------------------------------------------------------------------

/** Build the page: what was read comes back first, so that nothing else is shown in between. */
async function start() {
  window.history.scrollRestoration = "manual";
  buildFrame();
  const place = window.history.state;
  if (isReport) takeInline();
  const was = isReport ? { read: chain.length, at: chain.length } : readerWas();
  if (!isReport && was.read) await comeBack(was);
  showAt(was.at);
  draw({});
  if (place && Number.isFinite(place.y)) window.scrollTo(0, place.y);
  window.addEventListener("hashchange", moved);
  window.addEventListener("scroll", scrolled, { passive: true });
  window.addEventListener("keydown", keyPressed);
}

async function comeBack(was) {
  const bar = el("progress", { "aria-label": words("read.title") });
  frame.main.replaceChildren(el("div", { class: "coming" }, bar));
  await recallPieces(was, () => {});
}
