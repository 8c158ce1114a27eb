// Pointer and keyboard on the graph: move, zoom, drag, choose, and walk from node to node.

/** Let people take hold of a scene inside `box`. `act`: {choose(id), say(id), hint(tie or null)}. */
function takeHold(scene, box, act) {
  const hold = { pointers: new Map(), node: null, moved: false, far: 0 };
  box.addEventListener("pointerdown", (event) => gripScene(scene, box, hold, event));
  box.addEventListener("pointermove", (event) => {
    if (hold.pointers.has(event.pointerId)) dragScene(scene, box, hold, event);
    else hoverScene(scene, box, event, act);
  });
  for (const name of ["pointerup", "pointercancel"]) box.addEventListener(name, (event) => releaseScene(scene, hold, event, act));
  box.addEventListener("pointerleave", () => { lightTie(scene, null, act); });
  box.addEventListener("wheel", (event) => wheelScene(scene, box, event), { passive: false });
  box.addEventListener("keydown", (event) => {
    if (event.target === box && keyScene(scene, event, act)) event.preventDefault();
  });
}

/** Return a pointer's place within the box. */
function spotOf(box, event) {
  const { left, top } = box.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function gripScene(scene, box, hold, event) {
  if (event.button > 0) return;
  const mark = event.target.closest ? event.target.closest("[data-id]") : null;
  hold.pointers.set(event.pointerId, spotOf(box, event));
  hold.node = hold.pointers.size === 1 && mark ? scene.by.get(mark.getAttribute("data-id")) || null : null;
  hold.moved = hold.pointers.size > 1;
  hold.far = pinchSpan(hold);
  hold.from = spotOf(box, event);
}

/** Return how far two fingers are apart. */
function pinchSpan(hold) {
  const [one, two] = [...hold.pointers.values()];
  return two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
}

function dragScene(scene, box, hold, event) {
  const was = hold.pointers.get(event.pointerId);
  const now = spotOf(box, event);
  if (!hold.moved && Math.hypot(now.x - hold.from.x, now.y - hold.from.y) < 5) return;
  if (!hold.moved) box.setPointerCapture(event.pointerId);
  hold.moved = true;
  hold.pointers.set(event.pointerId, now);
  if (hold.node) dragNode(scene, hold.node, now);
  else if (hold.pointers.size === 2) pinchScene(scene, hold, now, was);
  else scene.move(scene.tx + now.x - was.x, scene.ty + now.y - was.y);
}

function pinchScene(scene, hold, now, was) {
  const far = pinchSpan(hold);
  const [one, two] = [...hold.pointers.values()];
  const factor = hold.far ? far / hold.far : 1;
  hold.far = far;
  scene.tx += (now.x - was.x) / 2;
  scene.ty += (now.y - was.y) / 2;
  scene.zoom(factor, (one.x + two.x) / 2, (one.y + two.y) / 2);
}

/** A node that was dragged stays where it was put; the others make room. */
function dragNode(scene, node, { x, y }) {
  scene.auto = false;
  scene.layout.x[node.i] = (x - scene.tx) / scene.k;
  scene.layout.y[node.i] = (y - scene.ty) / scene.k;
  scene.kept.held.add(node.id);
  scene.layout.homes.fill(null);
  scene.layout.heat = Math.max(scene.layout.heat, 0.12);
  scene.run();
}

function releaseScene(scene, hold, event, act) {
  if (!hold.pointers.delete(event.pointerId)) return;
  hold.far = pinchSpan(hold);
  if (hold.moved || event.type === "pointercancel") return;
  act.choose(hold.node ? hold.node.id : "");
}

/** Tell what the pointer is over: a node tells its own name, a tie is lit. */
function hoverScene(scene, box, event, act) {
  if (event.pointerType === "touch" || scene.running || scene.root.classList.contains("is-crowd")) return;
  const { x, y } = spotOf(box, event);
  const onNode = event.target.closest && event.target.closest("[data-id]");
  lightTie(scene, onNode ? null : scene.tieAt(x, y), act);
}

function lightTie(scene, one, act) {
  if (scene.lit === one) return;
  scene.lit = one;
  scene.drawTies();
  act.hint(one ? one.tie : null);
}

/** The wheel zooms once the graph is in use (or with Ctrl, as a pinch on a touchpad says); before, the page scrolls. */
function wheelScene(scene, box, event) {
  if (!event.ctrlKey && document.activeElement !== box) return;
  event.preventDefault();
  const { x, y } = spotOf(box, event);
  const lines = event.deltaMode === 1 ? 16 : 1;
  scene.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.003)), x, y);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Do what a key asks; return whether it asked for something. */
function keyScene(scene, event, act) {
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) scene.move(scene.tx - arrow[0] * 50, scene.ty - arrow[1] * 50);
  else if (arrow) walkTo(scene, arrow, act);
  else if (event.key === "+" || event.key === "=") scene.zoom(1.25);
  else if (event.key === "-") scene.zoom(0.8);
  else if (event.key === "0") scene.whole();
  else if (event.key === "Home") stepTo(scene, scene.ranked.find((node) => !node.isOut), act);
  else if (event.key === "Enter" || event.key === " ") act.choose(scene.cursor);
  else if (event.key === "Escape" && scene.kept.chosen) act.choose("");
  else return false;
  return true;
}

/** Go to the nearest node in a direction; without a node to start from, to the weightiest. */
function walkTo(scene, [dx, dy], act) {
  const seen = scene.ranked.filter((node) => !node.isOut);
  const from = scene.by.get(scene.cursor) || scene.by.get(scene.kept.chosen);
  if (!from || from.isOut) { stepTo(scene, seen[0], act); return; }
  let best = null;
  let least = Infinity;
  for (const node of seen) {
    const along = (node.x - from.x) * dx + (node.y - from.y) * dy;
    const aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
    if (node === from || along <= 0 || aside > along * 2) continue;
    if (along + aside * 2 < least) [best, least] = [node, along + aside * 2];
  }
  stepTo(scene, best, act);
}

/** Put the cursor on a node and say who it is; one outside the picture comes into it. */
function stepTo(scene, node, act) {
  if (!node) return;
  scene.cursor = node.id;
  const x = Math.max(40, Math.min(scene.width - 40, node.x));
  const y = Math.max(40, Math.min(scene.height - 40, node.y));
  if (x !== node.x || y !== node.y) scene.move(scene.tx + x - node.x, scene.ty + y - node.y);
  else scene.draw();
  act.say(node.id);
}
