// The presence strip: one cell a chapter. A handful of paths a strip, however long the book.

const STRIP_LEVELS = [1, 3, 6, 11];
const STRIP_WORDS = { p: "on_page", m: "mentioned", h: "historical" };

/** Return the strip of somebody as of now, stretched to any width. */
function drawStrip(view, id) {
  const presence = stripPresence(view, id);
  const said = stripWords(view, presence);
  const title = svg("title", null, said);
  const strip = svg("svg", {
    class: "strip", viewBox: `0 0 ${Math.max(view.n, 1)} 10`, preserveAspectRatio: "none", role: "img", "aria-label": said,
    onpointermove: (event) => { title.textContent = stripCell(view, presence, event) || said; },
    onpointerleave: () => { title.textContent = said; },
  }, title, svg("path", { class: "strip-line", d: `M0 9.75H${view.n}` }));
  for (const [level, d] of stripPaths(view, presence)) strip.append(svg("path", { class: `strip-${level}`, d }));
  return strip;
}

/** Return how somebody is there: their own chapters alone where they turned out to be another. */
function stripPresence(view, id) {
  const row = view.entity(id);
  if (!row || !row.past) return view.presence(id);
  return new Map(Object.entries(row.past).map(([n, how]) => [Number(n), { how, mentions: 1 }]));
}

function stripLevel({ how, mentions }) {
  if (how !== "p") return how;
  return `p${STRIP_LEVELS.filter((least) => mentions >= least).length || 1}`;
}

/** Return the outline of all cells of a level by level; neighbours of one level are one cell where the book is long. */
function stripPaths(view, presence) {
  const gap = view.n <= 60 ? 0.12 : 0;
  const cells = new Map();
  let run = null;
  for (let n = 1; n <= view.n; n++) {
    const there = presence.get(n);
    const level = there ? stripLevel(there) : "";
    if (run && run.level === level && !gap) run.to = n;
    else {
      run = level ? { level, from: n, to: n } : null;
      if (run && !cells.has(level)) cells.set(level, []);
      if (run) cells.get(level).push(run);
    }
  }
  return [...cells].map(([level, runs]) => [level, runs.map((one) => stripCellPath(one, gap)).join("")]);
}

/** On the page a cell is full, mentioned it is low, historical it is a low frame: height tells what shade does. */
function stripCellPath({ level, from, to }, gap) {
  const x = from - 1 + gap / 2;
  const w = to - from + 1 - gap;
  const top = level === "m" ? 5.5 : level === "h" ? 6 : 0;
  return `M${x} ${top}h${w}V${level === "h" ? 9 : 9.5}h${-w}z`;
}

function stripWords(view, presence) {
  const by = { p: [], m: [], h: [] };
  for (const [n, { how }] of presence) if (n <= view.n && by[how]) by[how].push(n);
  const parts = [];
  for (const [how, chapters] of Object.entries(by)) {
    if (!chapters.length) continue;
    chapters.sort((a, b) => a - b);
    parts.push(`${counted(`pictures.strip.${how}`, chapters.length)} (${chapterRuns(view, chapters, 6)})`);
  }
  return parts.join("; ") || words("pictures.strip.nowhere");
}

/** Return what the cell under the pointer says. */
function stripCell(view, presence, event) {
  const box = event.currentTarget.getBoundingClientRect();
  const n = Math.floor(((event.clientX - box.left) / box.width) * view.n) + 1;
  if (!(n >= 1 && n <= view.n)) return "";
  const there = presence.get(n);
  const how = there ? words(`presence.${STRIP_WORDS[there.how]}`) : words("pictures.strip.absent");
  const often = there && there.mentions > 1 ? ` · ${counted("presence.mentions", there.mentions)}` : "";
  return `${chapterOf(view, n)}: ${how}${often}`;
}

/** Return what the cells of a strip mean. */
function stripLegend() {
  const cell = (level, x) => svg("path", { class: `strip-${level}`, d: stripCellPath({ level, from: 1, to: 1 }, 0), transform: `translate(${x} 1) scale(9 1)` });
  const one = (...cells) => { const made = picSample(10 * cells.length + 1, cells); made.classList.add("strip"); return made; };
  return picLegend([
    [one(cell("p1", 0), cell("p2", 10), cell("p3", 20), cell("p4", 30)), words("pictures.strip.legend_p")],
    [one(cell("m", 0)), words("presence.mentioned")],
    [one(cell("h", 1)), words("presence.historical")],
  ]);
}
