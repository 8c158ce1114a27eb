// Where the nodes of a graph stand: forces, cooled down. The same ids and ties give the same picture; nodes placed before stay near.

const FORCES = { repel: 900, rest: 62, pull: 0.09, home: 0.3, reach: 0.85, friction: 0.6, cooling: 0.022, cold: 0.004 };

/** Return a number in [0, 1) that belongs to a text: always the same. */
function hashChance(text, salt) {
  let hash = 2166136261 ^ salt;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** A quadtree over points: far ones act as one point in their middle. */
class Quarters {
  constructor(x, y, weight) {
    const most = Math.max(x.length * 12 + 64, 256);
    Object.assign(this, { x, y, weight, kids: new Int32Array(most * 4), point: new Int32Array(most).fill(-1), mass: new Float64Array(most) });
    Object.assign(this, { sx: new Float64Array(most), sy: new Float64Array(most), side: new Float64Array(most), used: 1, most });
    const [left, top, right, bottom] = pointBounds(x, y);
    this.side[0] = Math.max(right - left, bottom - top, 1);
    this.left = left;
    this.top = top;
    for (let i = 0; i < x.length; i++) this.put(i);
  }

  /** Put a point in; points that are as good as one stay in the same leaf. */
  put(i) {
    let [node, left, top] = [0, this.left, this.top];
    for (let depth = 0; ; depth++) {
      const other = this.point[node];
      const empty = this.mass[node] === 0;
      this.load(node, i);
      if (empty) { this.point[node] = i; return; }
      if (depth > 22 || this.used + 8 > this.most) { this.point[node] = -1; return; }
      const half = this.side[node] / 2;
      if (other >= 0) {
        this.point[node] = -1;
        const kid = this.kid(node, this.quarter(other, left + half, top + half), half);
        this.load(kid, other);
        this.point[kid] = other;
      }
      const quarter = this.quarter(i, left + half, top + half);
      if (quarter & 1) left += half;
      if (quarter & 2) top += half;
      node = this.kid(node, quarter, half);
    }
  }

  load(node, i) {
    this.mass[node] += this.weight[i];
    this.sx[node] += this.x[i] * this.weight[i];
    this.sy[node] += this.y[i] * this.weight[i];
  }

  quarter(i, middle, centre) {
    return (this.x[i] >= middle ? 1 : 0) | (this.y[i] >= centre ? 2 : 0);
  }

  kid(node, quarter, side) {
    const at = node * 4 + quarter;
    if (!this.kids[at]) {
      this.side[this.used] = side;
      this.kids[at] = this.used++;
    }
    return this.kids[at];
  }

  /** Add to `vx`, `vy` of point i how all others push it away. */
  push(i, strength, vx, vy) {
    const stack = [0];
    while (stack.length) {
      const node = stack.pop();
      if (this.point[node] === i) continue;
      let dx = this.x[i] - this.sx[node] / this.mass[node];
      let dy = this.y[i] - this.sy[node] / this.mass[node];
      let far = dx * dx + dy * dy;
      const first = node * 4;
      const inner = this.kids[first] || this.kids[first + 1] || this.kids[first + 2] || this.kids[first + 3];
      if (inner && this.side[node] * this.side[node] > FORCES.reach * FORCES.reach * far) {
        for (let k = 0; k < 4; k++) if (this.kids[first + k]) stack.push(this.kids[first + k]);
        continue;
      }
      if (far < 1) { dx += Math.cos(i); dy += Math.sin(i); far = 1; }
      const force = (strength * this.weight[i] * this.mass[node]) / Math.max(far, 36);
      vx[i] += dx * force;
      vy[i] += dy * force;
    }
  }
}

/** Return [left, top, right, bottom] of points; nothing is [0, 0, 0, 0]. */
function pointBounds(x, y) {
  let [left, top, right, bottom] = x.length ? [Infinity, Infinity, -Infinity, -Infinity] : [0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    top = Math.min(top, y[i]);
    bottom = Math.max(bottom, y[i]);
  }
  return [left, top, right, bottom];
}

/** Return how strongly the middle pulls each node: more where it belongs to a small part of its own, which would drift away. */
function apartWeights(n, pairs) {
  const part = Int32Array.from({ length: n }, (_, i) => i);
  const head = (i) => {
    while (part[i] !== i) i = part[i] = part[part[i]];
    return i;
  };
  for (const [a, b] of pairs) part[head(a)] = head(b);
  const sizes = new Map();
  for (let i = 0; i < n; i++) sizes.set(head(i), (sizes.get(head(i)) || 0) + 1);
  const most = Math.max(1, ...sizes.values());
  return Float64Array.from({ length: n }, (_, i) => (sizes.get(head(i)) < most / 3 ? 3 : 1));
}

/** Nodes under forces. `former`: Map id -> {x, y} of where they stood; `held`: ids that do not move; `wide`: width over height. */
class Layout {
  constructor(ids, pairs, former, held, wide) {
    const n = ids.length;
    Object.assign(this, { ids, pairs, held, wide, at: new Map(ids.map((id, i) => [id, i])), degree: new Float64Array(n) });
    Object.assign(this, { x: new Float64Array(n), y: new Float64Array(n), vx: new Float64Array(n), vy: new Float64Array(n) });
    for (const [a, b] of pairs) {
      this.degree[a] += 1;
      this.degree[b] += 1;
    }
    const known = ids.filter((id) => former.has(id)).length;
    this.isNew = known < n;
    this.homes = new Array(n).fill(null);
    this.weight = this.degree.map((degree) => 0.55 + 0.18 * Math.sqrt(degree)); // those with many ties need more room
    this.inward = apartWeights(n, pairs);
    this.heat = known === 0 ? 1 : known < n ? 0.35 : 0.1;
    this.place(former, known);
  }

  /** Known nodes stand where they stood, others in the middle of those they are tied to, or where their id says. */
  place(former, known) {
    const beside = this.ids.map(() => []);
    for (const [a, b] of this.pairs) {
      beside[a].push(b);
      beside[b].push(a);
    }
    const disc = 30 * Math.sqrt(this.ids.length + 1);
    this.ids.forEach((id, i) => {
      const was = former.get(id);
      const friends = was || !known ? [] : beside[i].filter((k) => former.has(this.ids[k]));
      const turn = hashChance(id, 1) * Math.PI * 2;
      const away = friends.length ? 30 : disc * Math.sqrt(hashChance(id, 2));
      const middle = (axisName) => (friends.length ? friends.reduce((sum, k) => sum + former.get(this.ids[k])[axisName], 0) / friends.length : 0);
      this.x[i] = was ? was.x : middle("x") + Math.cos(turn) * away * (friends.length ? 1 : this.wide);
      this.y[i] = was ? was.y : middle("y") + Math.sin(turn) * away;
      this.homes[i] = was || null;
    });
  }

  get isDone() {
    return this.heat < FORCES.cold;
  }

  /** One step: ties pull, everybody pushes, the middle pulls a little, former places hold a little. */
  tick() {
    const { x, y, vx, vy, heat } = this;
    this.pull(heat);
    const tree = new Quarters(x, y, this.weight);
    for (let i = 0; i < x.length; i++) {
      tree.push(i, FORCES.repel * heat, vx, vy);
      vx[i] -= x[i] * FORCES.pull * this.inward[i] * heat / this.wide;
      vy[i] -= y[i] * FORCES.pull * this.inward[i] * heat * this.wide;
      const home = this.homes[i];
      if (home) { vx[i] += (home.x - x[i]) * FORCES.home * heat; vy[i] += (home.y - y[i]) * FORCES.home * heat; }
    }
    for (let i = 0; i < x.length; i++) {
      if (this.held.has(this.ids[i])) { vx[i] = 0; vy[i] = 0; continue; }
      vx[i] = Math.max(-60, Math.min(60, vx[i] * FORCES.friction));
      vy[i] = Math.max(-60, Math.min(60, vy[i] * FORCES.friction));
      x[i] += vx[i];
      y[i] += vy[i];
    }
    this.heat -= this.heat * FORCES.cooling;
  }

  pull(heat) {
    const { x, y, vx, vy, degree } = this;
    for (const [a, b] of this.pairs) {
      const dx = x[b] + vx[b] - x[a] - vx[a] || 0.01;
      const dy = y[b] + vy[b] - y[a] - vy[a] || 0.01;
      const long = Math.sqrt(dx * dx + dy * dy);
      const force = ((long - FORCES.rest) / long) * heat / Math.min(degree[a], degree[b]);
      const share = degree[a] / (degree[a] + degree[b]);
      vx[b] -= dx * force * share;
      vy[b] -= dy * force * share;
      vx[a] += dx * force * (1 - share);
      vy[a] += dy * force * (1 - share);
    }
  }

  /** Run for `ms` milliseconds or until all is still. */
  run(ms) {
    const end = performance.now() + ms;
    while (!this.isDone && performance.now() < end) this.tick();
  }

  /** Return where everybody stands. */
  places() {
    return new Map(this.ids.map((id, i) => [id, { x: this.x[i], y: this.y[i] }]));
  }
}
