// Who meets whom: a table of how often two are on the page in the same chapter.

const MEET_STEPS = [15, 30, 60, 100];
const meetKept = { most: 30, order: "near", at: null };

/** Return the matrix of the people most on the page. */
function meetPage(view) {
  const page = { view, table: el("div", { class: "pic-scroll meet-scroll" }), detail: el("div", { class: "meet-detail", role: "status" }), controls: el("div", { class: "meet-controls" }), legend: el("div", { class: "meet-legend" }) };
  drawMeet(page);
  return el("div", { class: "picture meet" }, page.controls, page.legend, page.detail, page.table);
}

/** Return {ids, met, pages}: the people in order of presence, and a Map "a\nb" (a before b) -> chapters. */
function meetData(view, most) {
  const pages = new Map(view.cast("character").map((row) => [row.key, pageCount(view, row.key)]).filter(([, n]) => n > 0));
  const ranked = [...pages.keys()].sort((a, b) => pages.get(b) - pages.get(a) || (a < b ? -1 : 1));
  const ids = ranked.slice(0, most);
  const chosen = new Set(ids);
  const met = new Map();
  const numbers = [...view.of("there").keys()].map(Number).sort((a, b) => a - b);
  for (const n of numbers) {
    const there = Object.entries(view.of("there").get(String(n))).filter(([id, [how]]) => how === "p" && chosen.has(id)).map(([id]) => id).sort();
    there.forEach((a, i) => there.slice(i + 1).forEach((b) => {
      const key = `${a}\n${b}`;
      if (met.has(key)) met.get(key).push(n);
      else met.set(key, [n]);
    }));
  }
  return { ids, met, pages, total: ranked.length };
}

/** Return the least count of each of five shades, fewer where the counts are few: each step takes the same factor. */
function meetLevels(met) {
  const most = Math.max(1, ...[...met.values()].map((chapters) => chapters.length));
  return [...new Set([0, 1, 2, 3, 4].map((i) => Math.ceil(most ** (i / 5) - 1e-9)))];
}

function metChapters(met, a, b) {
  return met.get(a < b ? `${a}\n${b}` : `${b}\n${a}`) || [];
}

/** Return people in an order that puts those together who meet often: a chain from the nearest to the nearest, then turned where it helps. */
function seriatedIds({ ids, met, pages }) {
  const near = (a, b) => metChapters(met, a, b).length / Math.sqrt(pages.get(a) * pages.get(b));
  const left = new Set(ids.slice(1));
  const chain = ids.slice(0, 1);
  while (left.size) {
    const [head, tail] = [chain[0], chain[chain.length - 1]];
    let best = null;
    for (const id of left) {
      const [first, last] = [near(id, head), near(id, tail)];
      if (!best || Math.max(first, last) > best.near) best = { id, near: Math.max(first, last), atHead: first > last };
    }
    left.delete(best.id);
    if (best.atHead) chain.unshift(best.id);
    else chain.push(best.id);
  }
  return turnedChain(chain, near);
}

/** Turn stretches of a chain round as long as that brings neighbours nearer. */
function turnedChain(chain, near) {
  const n = chain.length;
  const between = (i, j) => (i < 0 || j >= n ? 0 : near(chain[i], chain[j]));
  for (let round = 0; round < 8; round++) {
    let isBetter = false;
    for (let i = 0; i < n - 1; i++) {
      for (let j = i + 1; j < n; j++) {
        const gain = (i > 0 ? near(chain[i - 1], chain[j]) : 0) + (j < n - 1 ? near(chain[i], chain[j + 1]) : 0) - between(i - 1, i) - between(j, j + 1);
        if (gain <= 1e-9) continue;
        chain.splice(i, j - i + 1, ...chain.slice(i, j + 1).reverse());
        isBetter = true;
      }
    }
    if (!isBetter) break;
  }
  return chain;
}

function drawMeet(page) {
  const { view } = page;
  const data = meetData(view, meetKept.most);
  if (data.ids.length < 2) { picRefill(page.table, el("p", null, words("pictures.meet.none"))); return; }
  page.ids = meetKept.order === "near" ? seriatedIds(data) : data.ids;
  page.met = data.met;
  page.levels = meetLevels(data.met);
  picRefill(page.legend, meetLegend(page.levels));
  const steps = MEET_STEPS.filter((most, i) => i === 0 || MEET_STEPS[i - 1] < data.total);
  picRefill(page.controls,
    picChoice(words("pictures.meet.order"), "meet-order", [["near", words("pictures.meet.order_near")], ["often", words("pictures.meet.order_often")]], meetKept.order, (order) => { meetKept.order = order; redrawMeet(page, "meet-order"); }),
    steps.length > 1 && picChoice(words("pictures.meet.most"), "meet-most", steps.map((most) => [most, number(Math.min(most, data.total))]), Math.min(meetKept.most, steps[steps.length - 1]), (most) => { meetKept.most = Number(most); redrawMeet(page, "meet-most"); }));
  picRefill(page.table, meetTable(page, data));
  page.detail.textContent = words("pictures.meet.hint");
}

function redrawMeet(page, name) {
  drawMeet(page);
  const chosen = page.controls.querySelector(`input[name="${name}"]:checked`);
  if (chosen) chosen.focus();
}

function meetTable(page, data) {
  const { view, ids } = page;
  const columns = ids.map((id) => el("th", { scope: "col", title: shortName(view, id, 300) }, el("span", { lang: site.lang }, bdi(shortName(view, id, 14), { dir: "auto" }))));
  const rows = ids.map((a, i) => el("tr", null, el("th", { scope: "row" }, castLink(view, a, 16)), ids.map((b, j) => meetCell(page, data, i, j))));
  const table = el("table", { class: "meet-table" }, el("caption", { class: "pic-hidden" }, words("pictures.meet.title")),
    el("thead", null, el("tr", null, el("td", null), columns)), el("tbody", null, rows));
  const tell = (event) => {
    const cell = event.target.closest("td[data-at]");
    if (cell) tellMeet(page, cell);
  };
  table.addEventListener("pointerover", tell);
  table.addEventListener("focusin", tell);
  table.addEventListener("click", (event) => { const cell = event.target.closest("td[data-at]"); if (cell) meetFocus(page, cell); });
  table.addEventListener("keydown", (event) => meetKeys(page, event));
  page.cells = [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("td")]);
  return table;
}

/** Return a cell; one of them can be reached with Tab, the others from there with the arrows. */
function meetCell(page, data, i, j) {
  const { ids } = page;
  if (i === j) return el("td", { class: "meet-self", "data-at": `${i} ${j}`, tabindex: i === 0 ? 0 : -1 }, number(data.pages.get(ids[i])));
  const n = metChapters(data.met, ids[i], ids[j]).length;
  const level = meetShade(page.levels, n);
  return el("td", { class: `meet-${level}`, "data-at": `${i} ${j}`, tabindex: -1 }, n ? number(n) : "");
}

/** Say who meets in a cell, and where. */
function tellMeet(page, cell) {
  const { view, ids, met } = page;
  const [i, j] = cell.getAttribute("data-at").split(" ").map(Number);
  for (const one of page.lit || []) one.classList.remove("is-lit");
  const heads = cell.closest("table").tHead.rows[0].cells;
  page.lit = [cell, heads[j + 1], cell.parentNode.cells[0]];
  for (const one of page.lit) one.classList.add("is-lit");
  const chapters = i === j ? [...view.presence(ids[i])].filter(([, { how }]) => how === "p").map(([n]) => n).sort((a, b) => a - b) : metChapters(met, ids[i], ids[j]);
  const said = i === j ? counted("pictures.strip.p", chapters.length) : chapters.length ? counted("pictures.meet.together", chapters.length) : words("pictures.meet.never");
  picRefill(page.detail, castLink(view, ids[i]), i !== j && [" · ", castLink(view, ids[j])], ": ", said, chapters.length > 0 && ` (${chapterRuns(view, chapters, 20)})`);
}

function meetFocus(page, cell) {
  const former = page.table.querySelector('td[tabindex="0"]');
  if (former) former.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

function meetKeys(page, event) {
  const arrow = ARROWS[event.key];
  const cell = event.target.closest("td[data-at]");
  if (!arrow || !cell) return;
  const [i, j] = cell.getAttribute("data-at").split(" ").map(Number);
  const next = page.cells[i + arrow[1]] && page.cells[i + arrow[1]][j + arrow[0]];
  event.preventDefault();
  if (next) meetFocus(page, next);
}

/** Return the shade of a count, 0 for none, else from what stands for the least to 5 for the most. */
function meetShade(levels, n) {
  const at = levels.filter((least) => n >= least).length;
  return at ? at + (5 - levels.length) : 0;
}

function meetLegend(levels) {
  const span = (least, next) => (next === undefined ? `${number(least)}+` : next - least === 1 ? number(least) : `${number(least)}–${number(next - 1)}`);
  const shades = levels.map((least, i) => [el("span", { class: `meet-sample meet-${meetShade(levels, least)}`, "aria-hidden": "true" }), span(least, levels[i + 1])]);
  return [words("pictures.meet.legend"), picLegend(shades)];
}
