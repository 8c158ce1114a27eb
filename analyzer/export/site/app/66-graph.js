// The page of the graph: what is shown, the picture, who is chosen, and the same ties as a table.

/** Return the relation graph as of now; `centre`: whose surroundings it shows (without: what readers chose last). */
function graphPage(view, centre) {
  if (centre) Object.assign(graphKept, { centre: view.root(centre), chosen: view.root(centre), zoom: null });
  if (!view.entity(graphKept.centre)) graphKept.centre = "";
  graphKept.upTo = 0;
  const page = { view, kept: graphKept, panel: el("div", { class: "graph-panel" }), table: el("div"), count: el("p", { class: "graph-count", role: "status" }) };
  page.said = el("p", { class: "pic-hidden", "aria-live": "polite" });
  page.hint = el("p", { class: "graph-hint" });
  page.controls = el("div", { class: "graph-controls" });
  page.time = el("div", { class: "graph-time" });
  page.scene = new Scene(view, graphKept);
  page.box = graphBox(page);
  renewGraph(page);
  drawTime(page);
  return el("div", { class: "picture graph" }, page.controls, page.count, el("div", { class: "graph-both" },
    el("div", { class: "graph-frame" }, page.box, zoomButtons(page), page.hint), page.panel), page.time, graphLegend(), page.said, page.table);
}

/** Return the box one can step into with the keyboard; it tells the scene its size. */
function graphBox(page) {
  const box = el("div", { class: "graph-box", tabindex: 0, role: "application", "aria-label": words("pictures.graph.title"), "aria-describedby": "graph-keys" }, page.scene.root);
  takeHold(page.scene, box, {
    choose: (id) => chooseNode(page, id),
    say: (id) => { page.said.textContent = nodeWords(page.view, page.scene, id); },
    hint: (tie) => { page.hint.textContent = tie ? `${tieWords(page.view, tie)} · ${tieTime(page.view, tie, page.view.n)}` : words("pictures.graph.hint"); },
  });
  page.hint.textContent = words("pictures.graph.hint");
  new ResizeObserver(([entry]) => page.scene.resize(entry.contentRect.width, entry.contentRect.height)).observe(box);
  return el("div", { class: "graph-hold" }, box, el("p", { class: "pic-hidden", id: "graph-keys" }, words("pictures.graph.keys")));
}

function zoomButtons({ scene, kept }) {
  const sign = (text, label, act) => picButton(text, act, { "aria-label": label, title: label });
  const again = () => {
    kept.held.clear();
    scene.layout.heat = Math.max(scene.layout.heat, 0.1);
    scene.whole();
    scene.run();
  };
  return el("div", { class: "graph-zoom" }, sign("+", words("pictures.graph.zoom_in"), () => scene.zoom(1.3)),
    sign("−", words("pictures.graph.zoom_out"), () => scene.zoom(1 / 1.3)), sign("⤢", words("pictures.graph.fit"), again));
}

/** Show what the settings ask for: picture, count, panel and table. */
function renewGraph(page) {
  const { view, kept, scene } = page;
  const data = graphData(view, kept);
  page.data = data;
  scene.show(data);
  scene.run();
  page.count.textContent = !data.ties.length ? words("pictures.graph.none") : words("pictures.graph.count", { people: counted("pictures.graph.nodes", data.ids.length), ties: counted("pictures.graph.ties", data.ties.length) })
    + (data.hidden ? ` · ${counted("pictures.graph.hidden", data.hidden)}` : "");
  drawControls(page);
  chooseNode(page, scene.by.has(kept.chosen) ? kept.chosen : "");
  drawTable(page, 50);
}

/** Take a setting: the picture keeps its places, a new choice of nodes is fitted anew. */
function setGraph(page, changes) {
  Object.assign(page.kept, changes, { zoom: null });
  page.scene.auto = true;
  renewGraph(page);
}

function chooseNode(page, id) {
  page.kept.chosen = id;
  if (id) page.scene.cursor = id;
  page.scene.draw();
  drawPanel(page);
}

function drawControls(page) {
  const { kept, data } = page;
  const active = document.activeElement && page.controls.contains(document.activeElement) ? document.activeElement : null;
  const flip = (key, value) => (on) => {
    const next = new Set(kept[key]);
    next[on ? "add" : "delete"](value);
    setGraph(page, { [key]: next });
  };
  const box = (text, on, take, mark, name) => { const made = picTick(text, on, take, mark); made.firstChild.name = name; return made; };
  picRefill(page.controls,
    el("div", { class: "graph-line" }, centreSearch(page), kept.centre && stepsChoice(page), kept.centre && picButton(words("pictures.graph.no_centre"), () => setGraph(page, { centre: "" }))),
    el("fieldset", { class: "pic-choice" }, el("legend", null, words("pictures.graph.families")),
      FAMILIES.map((family) => box(words(`family.${family}`), kept.families.has(family), flip("families", family), familySample(family), `family-${family}`)),
      box(words("pictures.graph.former"), kept.former, (former) => setGraph(page, { former }), null, "former")),
    el("fieldset", { class: "pic-choice" }, el("legend", null, words("pictures.graph.kinds")),
      ["character", "group", "place", "object"].map((kind) => box(words(`page.${listOf(kind)}`), kept.kinds.has(kind), flip("kinds", kind), kindSample(kind), `kind-${kind}`))),
    (kept.all || data.hidden > 0) && el("div", { class: "graph-line" }, allSwitch(page)));
  const again = active && [...page.controls.querySelectorAll("input")].find((input) => input.name === active.name && (input.type === "search" || input.value === active.value));
  if (again) again.focus();
}

function allSwitch(page) {
  const { kept, data } = page;
  const text = kept.all ? words("pictures.graph.fewer") : words("pictures.graph.all_ties", { n: number(data.ties.length + data.hidden) });
  return picButton(text, () => {
    setGraph(page, { all: !kept.all });
    const again = page.controls.querySelector(".graph-all");
    if (again) again.focus();
  }, { class: "graph-all" });
}

function stepsChoice(page) {
  return picChoice(words("pictures.graph.steps"), "graph-steps", [[1, "1"], [2, "2"]], page.kept.steps, (steps) => setGraph(page, { steps: Number(steps) }));
}

/** Return a search for the one around whom the graph is drawn: names as known now, older ones too. */
function centreSearch(page) {
  const { view, kept } = page;
  const known = [...neighbours(allTies(view)).keys()].filter((id) => view.entity(id)).map((id) => ({ id, name: view.name(id), all: [view.name(id), ...(view.entity(id).names || [])] }));
  const plain = (text) => text.normalize("NFKC").toLocaleLowerCase().trim();
  const find = (event) => {
    const asked = plain(event.target.value);
    if (!asked) return;
    const exact = known.find((one) => one.all.some((name) => plain(name) === asked));
    const found = exact || (event.type === "change" && known.find((one) => one.all.some((name) => plain(name).includes(asked))));
    if (found && found.id !== kept.centre) setGraph(page, { centre: found.id, chosen: found.id });
  };
  return el("label", { class: "graph-search" }, words("pictures.graph.centre"),
    el("input", { type: "search", name: "centre", list: "graph-names", autocomplete: "off", placeholder: words("pictures.graph.centre_hint"), dir: "auto", value: kept.centre ? shortened(view.name(kept.centre), 200) : "", onchange: find, oninput: find }),
    el("datalist", { id: "graph-names" }, known.filter((one) => one.name.length <= 200).map((one) => el("option", { value: one.name }))));
}

/** Return who a node is, in words: name, kind and number of ties. */
function nodeWords(view, scene, id) {
  const ties = scene.data.ties.filter((tie) => tie.a === id || tie.b === id).length;
  return `${nameApart(view.name(id))}, ${words(`kind.${view.entity(id).kind}`)}, ${counted("pictures.graph.ties", ties)}`;
}

/** Show who is chosen with all ties to those in the book, not only those in the picture. */
function drawPanel(page) {
  const { view, kept } = page;
  const id = kept.chosen;
  page.panel.classList.toggle("is-empty", !id);
  if (!id) { picRefill(page.panel, el("p", null, words("pictures.graph.choose"))); return; }
  const ties = allTies(view).filter((tie) => tie.a === id || tie.b === id);
  ties.sort((one, two) => isFormer(one, view.n) - isFormer(two, view.n) || FAMILIES.indexOf(one.family) - FAMILIES.indexOf(two.family) || one.since - two.since);
  const line = (tie) => {
    const other = tie.a === id ? tie.b : tie.a;
    return el("li", { class: isFormer(tie, view.n) ? "is-former" : null }, familySample(tie.family), el("div", null, el("span", { class: "graph-role" }, role(tie, id)), " ", castLink(view, other, 40),
      el("div", { class: "graph-when" }, tieTime(view, tie, view.n))));
  };
  picRefill(page.panel, el("h2", null, castLink(view, id, 60)), el("p", { class: "graph-when" }, counted("pictures.strip.p", pageCount(view, id))), drawStrip(view, id),
    el("div", { class: "graph-line" }, id !== kept.centre && picButton(words("pictures.graph.make_centre"), () => setGraph(page, { centre: id })), picButton(words("pictures.graph.close"), () => chooseNode(page, ""))),
    el("ul", { class: "graph-ties-of" }, ties.map(line)));
}

/** A slider of its own: the ties as they were by an earlier chapter, nobody moves, so that one sees the graph grow. */
function drawTime(page) {
  const { view, kept, scene } = page;
  if (view.n < 2) return;
  const said = el("output", { class: "graph-when" });
  const show = (n) => {
    kept.upTo = n < view.n ? n : 0;
    slide.value = n;
    said.textContent = chapterOf(view, n);
    slide.setAttribute("aria-valuetext", said.textContent);
    scene.sift();
    scene.draw();
  };
  const slide = el("input", { type: "range", min: 1, max: view.n, step: 1, oninput: () => { stop(); show(Number(slide.value)); } });
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = words("pictures.graph.play");
  };
  const forward = () => (slide.isConnected && Number(slide.value) < view.n ? show(Number(slide.value) + 1) : stop());
  const play = picButton(words("pictures.graph.play"), () => {
    if (timer) { stop(); return; }
    if (Number(slide.value) === view.n) show(1);
    play.textContent = words("pictures.graph.pause");
    timer = setInterval(forward, Math.max(120, Math.min(700, 12000 / view.n)));
  });
  add(page.time, [play, el("label", null, words("pictures.graph.time"), slide), said]);
  show(view.n);
}

/** The same ties as a table: `most` of them at first. */
function drawTable(page, most) {
  const { view, data } = page;
  const ties = [...data.ties].sort((one, two) => one.since - two.since);
  const row = (tie) => el("tr", { class: isFormer(tie, view.n) ? "is-former" : null }, el("th", { scope: "row" }, castLink(view, tie.a)), el("td", null, words(`role.${tie.k}.a`)), el("td", null, castLink(view, tie.b)),
    el("td", null, words(`role.${tie.k}.b`)), el("td", null, familySample(tie.family), words(`family.${tie.family}`)), el("td", null, tieTime(view, tie, view.n)));
  const heads = ["who", "is", "whom", "other_is", "family", "when"].map((head) => el("th", { scope: "col" }, words(`pictures.graph.head.${head}`)));
  picRefill(page.table, el("div", { class: "pic-scroll", tabindex: 0, role: "region", "aria-label": words("pictures.graph.table") },
    el("table", { class: "graph-table" }, el("caption", null, words("pictures.graph.table")), el("thead", null, el("tr", null, heads)), el("tbody", null, ties.slice(0, most).map(row)))),
  ties.length > most && picButton(words("pictures.graph.all_ties", { n: number(ties.length) }), () => drawTable(page, Infinity)));
}

function familySample(family) {
  return picSample(26, svg("path", { class: `graph-tie of-${family}`, d: "M0 6H26" }));
}

function kindSample(kind) {
  const shape = nodeShape(kind, 5);
  shape.setAttribute("transform", "translate(7 6)");
  return picSample(14, svg("g", { class: `graph-node is-${kind}` }, shape));
}

function graphLegend() {
  const line = (...shapes) => picSample(30, shapes);
  return picLegend([
    [line(svg("path", { class: "graph-tie of-work", d: "M0 6H23" }), svg("path", { class: "graph-head of-work", d: "M30 6L23 2v8z" })), words("pictures.graph.legend_arrow")],
    [line(svg("path", { class: "graph-tie of-work is-former", d: "M0 6H30" })), words("pictures.graph.legend_former")],
    [picSample(30, svg("g", { class: "graph-node is-character", transform: "translate(6 6)" }, nodeShape("character", 3)), svg("g", { class: "graph-node is-character", transform: "translate(22 6)" }, nodeShape("character", 6))), words("pictures.graph.legend_size")],
    [picSample(16, svg("g", { class: "graph-node is-character", transform: "translate(8 6)" }, svg("circle", { class: "graph-ring", r: 5.5 }), nodeShape("character", 3))), words("pictures.graph.legend_new")],
  ]);
}
