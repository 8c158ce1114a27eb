// The search box of the frame: a combobox whose list suggests while one types.

const SUGGESTED = 8;

function searchBox() {
  const box = { hits: [], chosen: -1 };
  box.input = el("input", { type: "search", role: "combobox", "aria-label": words("search.label"), "aria-expanded": "false",
    "aria-controls": "suggested", "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    placeholder: words("search.placeholder"), maxlength: "200", enterkeyhint: "search" });
  box.list = el("ul", { id: "suggested", role: "listbox", "aria-label": words("search.label"), hidden: true });
  box.form = el("form", { role: "search", class: "find-box" }, box.input, box.list);
  box.input.addEventListener("input", () => suggest(box));
  box.input.addEventListener("keydown", (event) => pressed(box, event));
  box.input.addEventListener("blur", () => window.setTimeout(() => unsuggest(box), 150)); // a tap on the list comes first
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle(box);
  });
  frame.query = box.input;
  return box.form;
}

/** Show the cast and chapters that fit what was typed so far. */
function suggest(box) {
  const query = box.input.value;
  box.hits = state.view && query.trim() ? suggestions(state.view, query, SUGGESTED) : [];
  box.chosen = -1;
  box.list.replaceChildren(...box.hits.map((hit, i) =>
    el("li", { role: "option", id: `suggested-${i}`, "aria-selected": "false", onclick: () => visit(box, hit.href) },
      label(hit.text), " ", el("span", { class: "muted" }, hit.note))));
  showList(box, box.hits.length > 0);
}

function showList(box, shown) {
  box.list.hidden = !shown;
  box.input.setAttribute("aria-expanded", String(shown));
  box.input.removeAttribute("aria-activedescendant");
}

function unsuggest(box) {
  box.chosen = -1;
  showList(box, false);
}

function pressed(box, event) {
  if (event.isComposing) return; // the keys belong to whoever types Korean, Chinese or Japanese
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && box.hits.length) {
    event.preventDefault();
    choose(box, step);
  } else if (event.key === "Escape") {
    if (box.list.hidden) closeSearch(box);
    else unsuggest(box);
    event.preventDefault();
  }
}

function closeSearch(box) {
  frame.header.classList.remove("searching");
  box.input.value = "";
}

/** Move the choice through the list and, past its ends, back into the box. */
function choose(box, step) {
  const places = box.hits.length + 1;
  if (box.list.hidden) showList(box, true);
  box.chosen = ((box.chosen + 1 + step + places) % places) - 1;
  [...box.list.children].forEach((node, i) => {
    node.setAttribute("aria-selected", String(i === box.chosen));
    if (i === box.chosen) node.scrollIntoView({ block: "nearest" });
  });
  if (box.chosen < 0) box.input.removeAttribute("aria-activedescendant");
  else box.input.setAttribute("aria-activedescendant", `suggested-${box.chosen}`);
}

function settle(box) {
  const hit = box.hits[box.chosen];
  if (hit) visit(box, hit.href);
  else if (box.input.value.trim()) visit(box, address(["search"], { q: box.input.value.trim() }));
}

function visit(box, href) {
  unsuggest(box);
  frame.header.classList.remove("searching");
  box.input.blur();
  window.location.hash = href;
}
