// Lists of the cast: people, groups, places, things.

const ORDERS = ["name", "entrance", "presence"];

for (const page of Object.keys(LISTS)) PAGES[page] = (view, path, asked) => listPage(view, page, asked);

function listPage(view, page, asked) {
  const rows = view.cast(...LISTS[page]);
  const place = el("div", {});
  const wanted = { sort: ORDERS.includes(asked.get("sort")) ? asked.get("sort") : "presence", filter: asked.get("filter") || "" };
  const show = () => place.replaceChildren(castList(view, rows, wanted));
  show();
  return {
    title: words(`page.${page}`),
    body: [heading(words(`page.${page}`)), el("p", { class: "muted lead" }, words(`about.${page}`)), listTools(wanted, show), place],
  };
}

/** Return the box that filters a list and the choice of its order. */
function listTools(wanted, show) {
  const note = (name, value) => {
    wanted[name] = value;
    ask(name, value);
    show();
  };
  const filter = el("input", { type: "search", value: wanted.filter, autocomplete: "off", maxlength: "200",
    oninput: (event) => note("filter", event.target.value) });
  return el("div", { class: "tools" },
    el("label", { class: "field" }, el("span", {}, words("list.filter")), filter),
    choice("list.sort", ORDERS.map((order) => [order, words(`list.sort.${order}`)]), wanted.sort, (value) => note("sort", value)));
}

/** Return a labelled choice among few values. */
function choice(key, values, chosen, changed) {
  return el("label", { class: "field" }, el("span", {}, words(key)),
    el("select", { onchange: (event) => changed(event.target.value) },
      values.map(([value, text]) => el("option", { value, selected: value === chosen, dir: "auto" }, text))));
}

function castList(view, rows, { sort, filter }) {
  const terms = termsOf(filter);
  const fits = rows.filter((row) => terms.every((term) => [row.name, ...(row.names || [])].some((name) => holds(name, term))));
  if (!fits.length) return el("p", { class: "muted", role: "status" }, words(rows.length ? "list.no_match" : "none_yet"));
  return el("div", {},
    el("p", { class: "muted count", role: "status" }, counted("list.n", fits.length)),
    stripLegend(),
    el("ul", { class: "cast" }, sorted(view, fits, sort).map((row) => castRow(view, row))));
}

/** Return the cast in an order; equal ones stay in that of their entrance. */
function sorted(view, rows, sort) {
  const collator = new Intl.Collator(site.lang, { numeric: true });
  const weight = (row) => {
    const there = [...view.presence(row.key).values()];
    return 1000 * there.filter((one) => one.how === "p").length + there.length;
  };
  const byEntrance = (a, b) => a.since - b.since;
  if (sort === "name") return [...rows].sort((a, b) => collator.compare(a.name, b.name));
  if (sort === "entrance") return [...rows].sort(byEntrance);
  const weights = new Map(rows.map((row) => [row.key, weight(row)]));
  return [...rows].sort((a, b) => weights.get(b.key) - weights.get(a.key) || byEntrance(a, b));
}

function castRow(view, row) {
  const others = (row.names || []).filter((name) => name !== row.name);
  return el("li", {},
    el("div", { class: "cast-words" },
      who(view, row.key, { class: "name cast-name" }),
      others.length ? el("span", { class: "muted others" }, label(others.join(" · "))) : null,
      el("span", { class: "muted small" },
        row.kind !== "character" && [words(`kind.${row.kind}`), " · "], phrase("list.first", { chapter: chapterLink(view, row.since) }))),
    strip(view, row.key));
}
