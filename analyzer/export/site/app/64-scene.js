// The graph as drawn: nodes and names of one size at any zoom, ties of a family as one path, names that never lie on each other.

const SCENE_NAME = 18;
/** Beyond so many ties the lines are without dashes while they move: dashes take ten times as long to paint. */
const SCENE_MANY = 250;

/** Return the width of words in the font of a node, measured without laying out the page. */
const measuredText = { pen: null, widths: new Map() };
function textWidth(text, font) {
  const key = `${font}\n${text}`;
  if (!measuredText.widths.has(key)) {
    measuredText.pen = measuredText.pen || document.createElement("canvas").getContext("2d");
    measuredText.pen.font = font;
    if (measuredText.widths.size > 5000) measuredText.widths.clear();
    measuredText.widths.set(key, measuredText.pen.measureText(text).width);
  }
  return measuredText.widths.get(key);
}

class Scene {
  constructor(view, kept) {
    Object.assign(this, { view, kept, k: 1, tx: 0, ty: 0, width: 0, height: 0, auto: true, nodes: [], by: new Map(), ties: [], cursor: "", lit: null });
    this.tieLayer = svg("g", { class: "graph-ties" });
    this.nodeLayer = svg("g", { class: "graph-nodes" });
    this.nameLayer = svg("g", { class: "graph-names" });
    this.root = svg("svg", { class: "graph-scene", "aria-hidden": "true", focusable: "false" }, this.tieLayer, this.nodeLayer, this.nameLayer);
    this.paths = new Map();
    if (kept.zoom) Object.assign(this, kept.zoom, { auto: false });
  }

  /** Show other nodes and ties; who stood somewhere starts from there. */
  show(data) {
    this.data = data;
    const pages = new Map(data.ids.map((id) => [id, pageCount(this.view, id)]));
    const most = Math.max(1, ...pages.values());
    const at = new Map(data.ids.map((id, i) => [id, i]));
    const beside = neighbours(data.ties);
    this.pairs = [...beside].flatMap(([a, others]) => [...others].filter((b) => a < b).map((b) => [at.get(a), at.get(b)]));
    this.layout = null;
    this.ties = bentTies(data.ties);
    this.nodes = data.ids.map((id, i) => this.node(id, i, 5 + 10 * Math.sqrt(pages.get(id) / most), (beside.get(id) || new Set()).size));
    this.by = new Map(this.nodes.map((node) => [node.id, node]));
    this.ranked = [...this.nodes].sort((a, b) => b.r - a.r || b.degree - a.degree || (a.id < b.id ? -1 : 1));
    picRefill(this.nodeLayer, [...this.ranked].reverse().map((node) => node.mark));
    picRefill(this.nameLayer, this.nodes.map((node) => node.name));
    this.sift();
  }

  wide() {
    return Math.max(0.6, Math.min(1.7, Math.sqrt(this.width / this.height)));
  }

  node(id, i, r, degree) {
    const row = this.view.entity(id);
    const label = shortName(this.view, id, SCENE_NAME);
    const isNew = row.since === this.view.n && this.view.n > 1;
    const mark = svg("g", { class: `graph-node is-${row.kind}${isNew ? " is-new" : ""}${id === this.kept.centre ? " is-centre" : ""}`, "data-id": id },
      svg("title", null, shortName(this.view, id, 300)), isNew && svg("circle", { class: "graph-ring", r: r + 4 }), nodeShape(row.kind, r));
    return { id, i, r, degree, label, mark, room: isNew ? 4 : 0, name: svg("text", { class: "graph-name" }, label), x: 0, y: 0, isOut: false };
  }

  /** Decide which ties and nodes are there by the chapter that is looked at. */
  sift() {
    const upTo = this.kept.upTo || this.view.n;
    const there = new Set();
    for (const one of this.ties) {
      one.isOut = one.tie.since > upTo;
      one.isFormer = isFormer(one.tie, upTo);
      if (one.isOut) continue;
      there.add(one.tie.a);
      there.add(one.tie.b);
    }
    for (const node of this.nodes) {
      node.isOut = !there.has(node.id) && (this.ties.length > 0 && node.id !== this.kept.centre);
      node.mark.classList.toggle("is-out", node.isOut);
    }
  }

  /** Mark who is chosen and whom they are tied to; all others step back. */
  mark() {
    const chosen = this.by.has(this.kept.chosen) ? this.kept.chosen : "";
    const beside = new Set([chosen]);
    for (const { tie, isOut } of this.ties) if (!isOut && (tie.a === chosen || tie.b === chosen)) beside.add(tie.a).add(tie.b);
    this.root.classList.toggle("has-chosen", chosen !== "");
    this.root.classList.toggle("is-crowd", this.ties.length > 400 * Math.max(1, this.k * this.k * 2));
    for (const node of this.nodes) {
      node.isNear = chosen !== "" && beside.has(node.id);
      node.mark.classList.toggle("is-near", node.isNear);
      node.mark.classList.toggle("is-chosen", node.id === chosen);
      node.mark.classList.toggle("is-cursor", node.id === this.cursor);
      node.name.classList.toggle("is-near", node.isNear);
    }
  }

  resize(width, height) {
    if (!width || !height || (width === this.width && height === this.height)) return;
    Object.assign(this, { width, height });
    if (this.layout) this.draw();
    else if (this.data) this.run();
  }

  /** Lay out in slices, drawing as it goes; nothing moves on the screen for those who want no motion. Waits until there is room. */
  run() {
    if (!this.width) return;
    if (!this.layout) this.layout = new Layout(this.data.ids, this.pairs, this.kept.places, this.kept.held, this.wide());
    const still = isStill();
    const first = this.layout.heat === 1;
    if (this.nodes.length <= 90 && (still || first)) this.layout.run(400);
    this.draw();
    if (this.running) return;
    const pause = this.nodes.length > 150 ? 110 : 0; // painting a crowd takes longer than laying it out
    let drawn = performance.now();
    const slice = () => {
      this.running = this.root.isConnected;
      if (!this.running) return;
      this.layout.run(pause ? 18 : 9);
      this.running = !this.layout.isDone;
      if (!this.running || (!still && performance.now() - drawn >= pause)) {
        this.draw();
        drawn = performance.now();
      }
      if (this.running) requestAnimationFrame(slice);
      else this.settled();
    };
    this.running = true;
    if (this.layout.isDone) { this.running = false; this.settled(); } else requestAnimationFrame(slice);
  }

  settled() {
    for (const [id, place] of this.layout.places()) this.kept.places.set(id, place);
    this.root.setAttribute("data-settled", "");
  }

  /** Zoom so that all who are there fit. */
  fit() {
    const seen = this.nodes.filter((node) => !node.isOut);
    const [left, top, right, bottom] = pointBounds(seen.map((node) => this.layout.x[node.i]), seen.map((node) => this.layout.y[node.i]));
    const side = Math.min(70, this.width * 0.12);
    this.k = Math.min(2, (this.width - 2 * side) / Math.max(right - left, 1), (this.height - 84) / Math.max(bottom - top, 1));
    this.tx = this.width / 2 - ((left + right) / 2) * this.k;
    this.ty = this.height / 2 - 6 - ((top + bottom) / 2) * this.k;
  }

  /** Zoom by a factor about a point of the screen. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const k = Math.max(0.05, Math.min(8, this.k * factor));
    this.move(px - ((px - this.tx) * k) / this.k, py - ((py - this.ty) * k) / this.k, k);
  }

  move(tx, ty, k = this.k) {
    Object.assign(this, { tx, ty, k, auto: false });
    this.kept.zoom = { tx, ty, k };
    this.draw();
  }

  whole() {
    this.auto = true;
    this.kept.zoom = null;
    this.draw();
  }

  draw() {
    if (!this.width || !this.layout) return;
    if (this.auto) this.fit();
    if (this.ties.length > SCENE_MANY) this.hurry();
    const grow = Math.max(0.55, Math.min(1.5, Math.sqrt(this.k)));
    for (const node of this.nodes) {
      node.x = this.layout.x[node.i] * this.k + this.tx;
      node.y = this.layout.y[node.i] * this.k + this.ty;
      node.shown = (node.r + node.room) * grow;
      node.mark.setAttribute("transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)}) scale(${grow.toFixed(3)})`);
    }
    this.mark();
    this.drawTies();
    this.drawNames();
  }

  hurry() {
    this.root.classList.add("is-moving");
    clearTimeout(this.hurried);
    this.hurried = setTimeout(() => (this.running ? this.hurry() : this.root.classList.remove("is-moving")), 200);
  }

  drawTies() {
    const made = new Map();
    for (const node of this.nodes) node.sides = [0, 0, 0, 0];
    for (const one of this.ties) {
      if (one.isOut) continue;
      const chosen = one.tie.a === this.kept.chosen || one.tie.b === this.kept.chosen || one === this.lit;
      const group = `${one.tie.family}${one.isFormer ? " is-former" : ""}${chosen ? " is-near" : ""}`;
      if (!made.has(group)) made.set(group, [[], []]);
      const [a, b] = [this.by.get(one.tie.a), this.by.get(one.tie.b)];
      a.sides[sideOf(b.x - a.x, b.y - a.y)] += 1;
      b.sides[sideOf(a.x - b.x, a.y - b.y)] += 1;
      tieShape(a, b, one, made.get(group));
    }
    for (const [group, pair] of this.paths) if (!made.has(group)) for (const path of pair) path.setAttribute("d", "");
    for (const [group, lines] of made) {
      if (!this.paths.has(group)) {
        const pair = [svg("path", { class: `graph-tie of-${group}` }), svg("path", { class: `graph-head of-${group}` })];
        this.paths.set(group, pair);
        if (group.endsWith("is-near")) this.tieLayer.append(...pair);
        else this.tieLayer.prepend(...pair);
      }
      this.paths.get(group).forEach((path, i) => path.setAttribute("d", lines[i].join("")));
    }
  }

  /** Give names a place where nothing else is, the weightiest first; who finds none goes without until one zooms in. */
  drawNames() {
    const font = this.font || (this.font = `13px ${getComputedStyle(this.root).fontFamily || "sans-serif"}`);
    const boxes = [];
    const seen = this.ranked.filter((node) => !node.isOut);
    const heroes = new Set(seen.length > 120 ? seen.slice(0, 30) : []); // in a crowd their names may lie on lesser nodes
    const discs = (nodes) => nodes.map((node) => [node.x - node.shown, node.y - node.shown, node.x + node.shown, node.y + node.shown]);
    boxes.push([this.width - 52, 0, this.width, 140], ...discs(heroes.size ? [...heroes] : seen));
    const isFirst = (node) => node.id === this.kept.chosen || node.id === this.cursor || node.id === this.kept.centre;
    const order = [...this.ranked.filter(isFirst), ...this.ranked.filter((node) => !isFirst(node) && node.isNear), ...this.ranked.filter((node) => !isFirst(node) && !node.isNear)];
    let isCrowd = heroes.size > 0;
    for (const node of order) {
      if (isCrowd && !heroes.has(node) && !isFirst(node)) {
        boxes.push(...discs(seen.slice(heroes.size)));
        isCrowd = false;
      }
      const spot = node.isOut ? null : nameSpot(node, textWidth(node.label, font) + 4, boxes, isFirst(node), this.width, this.height);
      node.name.classList.toggle("is-out", !spot);
      if (!spot) continue;
      boxes.push(spot);
      node.name.setAttribute("x", (spot[0] + 2).toFixed(1));
      node.name.setAttribute("y", (spot[1] + 12).toFixed(1));
    }
  }

  /** Return the tie nearest to a point of the screen, none where all are farther than `most` pixels. */
  tieAt(px, py, most = 7) {
    let best = null;
    for (const one of this.ties) {
      if (one.isOut || !one.line) continue;
      const far = Math.min(segmentDistance(px, py, one.line, 0), segmentDistance(px, py, one.line, 2));
      if (far < most) [best, most] = [one, far];
    }
    return best;
  }
}

/** Return the shape of a kind: people are round, groups square, places diamonds, all others triangles. */
function nodeShape(kind, r) {
  if (kind === "character") return svg("circle", { class: "graph-shape", r });
  if (kind === "group") return svg("rect", { class: "graph-shape", x: -r * 0.88, y: -r * 0.88, width: r * 1.76, height: r * 1.76, rx: r * 0.2 });
  if (kind === "place") return svg("path", { class: "graph-shape", d: `M0 ${-r * 1.15}L${r * 1.15} 0L0 ${r * 1.15}L${-r * 1.15} 0z` });
  return svg("path", { class: "graph-shape", d: `M0 ${-r * 1.1}L${r * 1.05} ${r * 0.8}L${-r * 1.05} ${r * 0.8}z` });
}

/** Add a tie from edge to edge of its nodes to `lines`, and its head where it points; what was drawn is kept for the pointer. */
function tieShape(a, b, one, [lines, heads]) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const cx = (a.x + b.x) / 2 - dy * one.bend;
  const cy = (a.y + b.y) / 2 + dx * one.bend;
  const [sx, sy] = pointTowards(a, cx, cy, a.shown);
  const points = !MUTUAL.has(one.tie.k) && Math.hypot(dx, dy) > a.shown + b.shown + 10;
  const [ex, ey] = pointTowards(b, cx, cy, b.shown + (points ? 7 : 0));
  one.line = [sx, sy, (sx + 2 * cx + ex) / 4, (sy + 2 * cy + ey) / 4, ex, ey];
  const f = (value) => value.toFixed(1);
  lines.push(one.bend ? `M${f(sx)} ${f(sy)}Q${f(cx)} ${f(cy)} ${f(ex)} ${f(ey)}` : `M${f(sx)} ${f(sy)}L${f(ex)} ${f(ey)}`);
  if (!points) return;
  const [tx, ty] = pointTowards(b, cx, cy, b.shown + 0.5);
  const wx = ((ey - ty) / 7) * 4;
  const wy = ((tx - ex) / 7) * 4;
  heads.push(`M${f(tx)} ${f(ty)}L${f(ex + wx)} ${f(ey + wy)}L${f(ex - wx)} ${f(ey - wy)}z`);
}

/** Return the point `away` from a node on the way to (x, y). */
function pointTowards(node, x, y, away) {
  const long = Math.hypot(x - node.x, y - node.y) || 1;
  const share = Math.min(away / long, 1);
  return [node.x + (x - node.x) * share, node.y + (y - node.y) * share];
}

function segmentDistance(px, py, line, at) {
  const [ax, ay, bx, by] = line.slice(at, at + 4);
  const long = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
  const share = Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / long));
  return Math.hypot(px - ax - share * (bx - ax), py - ay - share * (by - ay));
}

/** Return which way a tie goes: 0 down, 1 right, 2 left, 3 up. */
function sideOf(dx, dy) {
  if (Math.abs(dx) > Math.abs(dy) * 1.4) return dx > 0 ? 1 : 2;
  return dy > 0 ? 0 : 3;
}

/** Return a box [left, top, right, bottom] beside a node that touches no other, on the side with the fewest ties (else below, right, left, above); `must` takes the first anyway. */
function nameSpot(node, wide, boxes, must, width, height) {
  const { x, y, shown: r } = node;
  const spots = [[x - wide / 2, y + r + 1], [x + r + 2, y - 8], [x - r - 2 - wide, y - 8], [x - wide / 2, y - r - 17]].map(([left, top]) => [left, top, left + wide, top + 16]);
  const order = [0, 1, 2, 3].sort((one, two) => node.sides[one] - node.sides[two] || one - two).map((side) => spots[side]);
  const inside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height;
  const isFree = (spot) => boxes.every((box) => spot[0] >= box[2] || spot[2] <= box[0] || spot[1] >= box[3] || spot[3] <= box[1]);
  return order.find((spot) => inside(spot) && isFree(spot)) || (must ? order.find(inside) || order[0] : null);
}
