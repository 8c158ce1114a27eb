// Where the reader is: the chapter shown, the page asked for, and what else is remembered.

const state = {
  at: 0, // the chapter shown; 0: nothing read
  view: null, // the book as of then
  ended: false, // the piece behind the last one was asked for and is not there
  kept: true, // the browser remembers
};

const isReport = site.mode === "report";

/** Show the book as of chapter `n`, within what was read. */
function showAt(n) {
  const at = Math.max(0, Math.min(n, chain.length));
  state.at = at;
  state.view = at ? new View(chain.slice(0, at)) : null;
  keepPlace();
}

function keepPlace() {
  if (isReport || !chain.length) return;
  state.kept = remember("read", { read: chain.length, at: state.at, names: chain.map((piece) => piece.name) });
}

/** Go to a chapter within what was read, draw all anew and say so. */
function goTo(n) {
  const before = state.at;
  showAt(n);
  draw({ keepsPlace: true });
  if (state.at !== before) announce(words("now_showing", { chapter: nowName() }));
}

/** Return the name of the chapter shown. */
function nowName() {
  const row = state.view && state.view.of("chapter").get(String(state.at));
  return row ? chapterName(row) : words("chapter.chapter", { label: String(state.at) });
}

/** Forget what was read; what came stays in this page's memory but is not shown. */
function forget() {
  remember("read", null);
  chain.length = 0;
  state.ended = false;
  showAt(0);
  draw({});
  announce(words("read.forgotten"));
}

// --- addresses ----------------------------------------------------------------------------------------------------------

/** Return the page the address asks for: `{page, path, asked}`. */
function route() {
  const [path, query] = split(window.location.hash.replace(/^#\/?/, ""), "?");
  const steps = path.split("/").filter(Boolean).map(decoded);
  if (path === "main") return { page: "home", path: [], asked: new URLSearchParams() }; // where the skip link leads
  return { page: steps[0] || "home", path: steps.slice(1), asked: new URLSearchParams(query) };
}

function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(step) {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Note what a page is asked for in its address, without going anywhere. */
function ask(name, value) {
  const { page, path, asked } = route();
  if (value) asked.set(name, value);
  else asked.delete(name);
  const here = address([page, ...path], Object.fromEntries(asked));
  window.history.replaceState(window.history.state, "", here);
}

// --- colours ------------------------------------------------------------------------------------------------------------

const COLOURS = ["auto", "light", "dark"];

function colours() {
  const kept = recall("colours");
  return COLOURS.includes(kept) ? kept : "auto";
}

function applyColours(value) {
  if (value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

applyColours(colours());
