// Pieces come by script elements, since a page from a folder may not fetch. The name of a piece is known from the one before
// alone, and none is asked for before the reader says that they have read its chapter.

const PIECE_NAME = /^[A-Za-z0-9_-]{1,80}$/;
const AT_ONCE = 24; // remembered pieces asked for at a time
const UNCOUNTED = ["prologue", "interlude", "epilogue", "front", "back"]; // what readers do not count as a chapter
const MOST_BEFORE = 3; // of these before the first chapter

/** Pieces of the chapters the reader has read, in order. */
const chain = [];

const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("analyzer", { createScriptURL: pieceAddress })
  : { createScriptURL: pieceAddress };

window.analyzerPiece = (piece) => {
  if (isPiece(piece) && !pieces.has(piece.name)) pieces.set(piece.name, piece);
};

function pieceAddress(name) {
  if (!PIECE_NAME.test(name)) throw new TypeError("not the name of a piece");
  return `d/${name}.js`;
}

function isPiece(piece) {
  const fits = piece && typeof piece === "object" && Number.isInteger(piece.chapter) && typeof piece.rows === "object";
  return fits && PIECE_NAME.test(piece.name);
}

/** Load one piece; resolves to it, or to null if there is none of this name. */
function load(name) {
  if (pieces.has(name)) return Promise.resolve(pieces.get(name));
  if (typeof name !== "string" || !PIECE_NAME.test(name)) return Promise.resolve(null);
  return new Promise((done) => {
    const script = document.createElement("script");
    const end = () => {
      script.remove();
      done(pieces.get(name) || null);
    };
    script.async = true;
    script.addEventListener("load", end);
    script.addEventListener("error", end);
    script.src = policy.createScriptURL(name);
    document.head.append(script);
  });
}

/** Return the name of the piece behind those there are. */
function nextName() {
  return chain.length ? chain[chain.length - 1].next : site.first;
}

/** Put the next piece on the chain; resolves to whether there was one. */
async function loadNext() {
  const name = nextName();
  const piece = await load(name);
  if (!piece || piece.chapter !== chain.length + 1) return false;
  if (name !== nextName()) return true; // another walk was there first
  chain.push(piece);
  return true;
}

/** Walk on while `wanted(chain)`; `told()` hears of every piece. Resolves to whether all that was wanted was there. */
async function walk(wanted, told = () => {}) {
  while (wanted(chain)) {
    if (!(await loadNext())) return false;
    told();
  }
  return true;
}

/** Return a test of a chain: whether it ends before the chapter a reader calls `m`.
 *
 * Chapters are counted as readers do: a prologue is none, and a book may begin with chapter 31. Where both ways of counting are
 * possible the earlier chapter is meant, so that nobody is shown more than they have read.
 */
function endsBefore(m) {
  return (read) => {
    let n = 0;
    for (const piece of read) {
      const row = chapterIn(piece);
      if (row && UNCOUNTED.includes(row.kind)) continue;
      n += 1;
      if (n >= m || (row && /^\d+$/.test(row.label) && Number(row.label) >= m)) return false;
    }
    return n > 0 || read.length < m + MOST_BEFORE;
  };
}

/** Return the row of a piece's own chapter. */
function chapterIn(piece) {
  return piece.rows.chapter && piece.rows.chapter[String(piece.chapter)];
}

// --- what is remembered -------------------------------------------------------------------------------------------------

const STORED = `analyzer:${site.id}`;

/** Read something remembered; null where there is nothing of use, or the browser keeps nothing. */
function recall(name) {
  try {
    return JSON.parse(window.localStorage.getItem(`${STORED}:${name}`));
  } catch {
    return null;
  }
}

/** Remember something, null forgets it; returns whether the browser did. */
function remember(name, value) {
  try {
    if (value === null) window.localStorage.removeItem(`${STORED}:${name}`);
    else window.localStorage.setItem(`${STORED}:${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Return what was remembered of the reader: chapters read, the one shown, names of pieces; whatever does not fit together is nothing. */
function readerWas() {
  const was = recall("read");
  const names = was && Array.isArray(was.names) ? was.names : [];
  const fits = names.length > 0 && names.length === was.read && names.every((name) => typeof name === "string" && PIECE_NAME.test(name));
  if (!fits) return { read: 0, at: 0, names: [] };
  return { read: was.read, at: Number.isInteger(was.at) && was.at > 0 ? Math.min(was.at, was.read) : was.read, names };
}

/** Bring back the pieces of the chapters read, those whose names are remembered at once. A name that is no longer right is let go. */
async function recallPieces(was, told) {
  if (was.names[0] === site.first) {
    for (let i = 0; i < was.names.length; i += AT_ONCE) {
      const found = await Promise.all(was.names.slice(i, i + AT_ONCE).map(load));
      if (found.includes(null)) break; // the book was written anew from here on
      told();
    }
  }
  await walk(() => chain.length < was.read, told);
}

/** Take the pieces that stand in the page itself: all of them. */
function takeInline() {
  for (const node of document.querySelectorAll("script.piece")) window.analyzerPiece(JSON.parse(node.textContent));
  for (let name = site.first; pieces.has(name) && pieces.get(name).chapter === chain.length + 1; name = nextName()) {
    chain.push(pieces.get(name));
  }
}
