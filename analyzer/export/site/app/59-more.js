// Pictures that fill a page, how all this works, and the pages of the author's report.

/** The graph; one may come to it from the page of somebody, who then stands in its middle. */
PAGES.graph = (view, [around]) => ({
  title: words("page.graph"),
  wide: true,
  body: [heading(words("page.graph")), el("p", { class: "muted lead" }, words("about.graph")),
    graphPage(view, around && view.entity(around) ? around : "")],
});

PAGES.meet = (view) => ({
  title: words("page.meet"),
  wide: true,
  body: [heading(words("page.meet")), el("p", { class: "muted lead" }, words("about.meet")), meetPage(view)],
});

PAGES.help = () => ({
  title: words("page.help"),
  body: [
    heading(words("page.help")),
    section("help.spoilers", site.ahead ? el("p", {}, words("footer.ahead")) : ["help.spoilers_1", "help.spoilers_2", "help.spoilers_3"].map((key) => el("p", {}, words(key)))),
    section("help.memory", el("p", {}, words("help.memory_1"))),
    section("help.keys", keysTable(), keysChoice()),
  ],
});

function keysTable() {
  const keys = [["/", "help.key_search"], ["[", "help.key_back"], ["]", "help.key_forth"], ["r", "help.key_read"], ["Esc", "help.key_escape"]];
  return el("dl", { class: "keys" }, keys.map(([name, key]) => el("div", {}, el("dt", {}, el("kbd", {}, name)), el("dd", {}, words(key)))));
}

function keysChoice() {
  return el("label", { class: "check" },
    el("input", { type: "checkbox", checked: keysAreOn(), onchange: (event) => remember("keys", event.target.checked) }), " ", words("help.keys_on"));
}

// --- the author's report ------------------------------------------------------------------------------------------------

const WAITING = ["reveal", "merge", "relation", "change", "issue", "decision"];

PAGES.waits = (view) => {
  const groups = grouped(view.each("waits"), (row) => row.kind);
  return {
    title: words("page.waits"),
    body: [
      heading(words("page.waits")),
      groups.size ? null : el("p", { class: "muted" }, words("waits.none")),
      ...WAITING.filter((kind) => groups.has(kind)).map((kind) =>
        section(`waits.${kind}`, list(groups.get(kind), (row) => waitItem(view, row), { cls: "items cards", most: 20 }))),
    ],
  };
};

function waitItem(view, row) {
  const quotes = (row.words || []).map((quote) => el("blockquote", { lang: site.lang, dir: "auto" }, Array.isArray(quote) ? quote[2] : quote));
  return item(label(row.what || ""), [row.c && chapterLink(view, row.c)], row.why && el("div", { class: "muted" }, label(row.why)),
    quotes.length ? el("div", { class: "quotes" }, quotes) : null,
    row.votes ? labelled("waits.votes", bdi(String(row.votes))) : null,
    labelled("waits.type", list(row.type || [], commandLine, { cls: "commands" })));
}

/** Return a command with a button that copies it, where the browser lets one. */
function commandLine(command) {
  const copy = el("button", { type: "button", class: "plain", onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = words("waits.copied");
    } catch {
      copy.remove();
    }
  } }, words("waits.copy"));
  return [el("code", { dir: "ltr" }, command), " ", navigator.clipboard ? copy : null];
}

PAGES.odd = (view) => {
  const rows = [...view.each("odd")].sort((a, b) => a.c - b.c || b.n - a.n);
  const head = ["odd.chapter", "odd.code", "odd.n"].map((key) => el("th", { scope: "col" }, words(key)));
  return {
    title: words("page.odd"),
    body: [
      heading(words("page.odd")),
      rows.length ? scrolling("page.odd", el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows.map((row) => el("tr", {},
        el("td", {}, chapterLink(view, row.c)), el("td", {}, el("code", {}, row.code)), el("td", { class: "number" }, number(row.n)))))))
        : el("p", { class: "muted" }, words("odd.none")),
    ],
  };
};

PAGES.bill = () => {
  const bill = site.report && site.report.bill;
  return {
    title: words("page.bill"),
    body: [heading(words("page.bill")), bill && Object.keys(bill).length ? figures(bill) : el("p", { class: "muted" }, words("bill.none"))],
  };
};

/** Return a record as a list of its figures; what is a list of records is a table. */
function figures(record) {
  return el("dl", { class: "figures" }, Object.entries(record).filter(([, value]) => value !== null && value !== "").map(([name, value]) =>
    el("div", {}, el("dt", {}, words(`bill.${name}`)), el("dd", {}, figure(value, name)))));
}

/** Return a figure as it is read; money is what has `usd` in its name. */
function figure(value, name) {
  const money = name.endsWith("usd") ? { style: "currency", currency: "USD" } : {};
  if (typeof value === "number") return new Intl.NumberFormat(site.uiLang, { ...money, maximumFractionDigits: 4 }).format(value);
  if (Array.isArray(value)) return value.every((one) => one && typeof one === "object") ? figureTable(value) : value.join(", ");
  if (value && typeof value === "object") return figures(value);
  return String(value);
}

function figureTable(rows) {
  const names = [...new Set(rows.flatMap(Object.keys))];
  if (!names.length) return "";
  const cell = (value, name) => el("td", { class: typeof value === "number" ? "number" : null }, figure(value ?? "", name));
  return scrolling("page.bill", el("table", {},
    el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, words(`bill.${name}`))))),
    el("tbody", {}, rows.map((row) => el("tr", {}, names.map((name) => cell(row[name], name)))))));
}

/** Return a wide table in a place of its own that scrolls, by keys too. */
function scrolling(key, table) {
  return el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": words(key) }, table);
}
