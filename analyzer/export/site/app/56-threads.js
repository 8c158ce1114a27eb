// Threads, and secrets with who knows what.

const THREAD_KINDS = ["question", "promise", "threat", "secret", "prophecy", "object", "fear", "skill", "deadline", "anomaly"];
const PRESSING = ["overdue", "active", "fresh", "open", "dormant"];

PAGES.threads = (view) => {
  const rows = view.each("thread");
  return {
    title: words("page.threads"),
    wide: true,
    body: [
      heading(words("page.threads")),
      el("p", { class: "muted lead" }, words("about.threads")),
      rows.length ? section("threads.picture", threadChart(view)) : el("p", { class: "muted" }, words("none_yet")),
      section("threads.open", byKind(view, rows.filter(isOpen))),
      section("threads.closed", byKind(view, rows.filter((row) => !isOpen(row)))),
    ],
  };
};

function byKind(view, rows) {
  const groups = grouped(rows, (row) => row.kind);
  const weight = (row) => PRESSING.indexOf(row.health) + 1 || PRESSING.length + 1;
  return THREAD_KINDS.filter((kind) => groups.has(kind)).map((kind) => [
    el("h3", {}, words(`thread.${kind}`)),
    list(groups.get(kind).sort((a, b) => weight(a) - weight(b)), (row) => threadItem(view, row, false), { cls: "items cards", most: 6 }),
  ]);
}

PAGES.secrets = (view) => {
  const secrets = isHidden("secrets") ? [] : view.each("secret");
  const known = isHidden("knowledge") ? [] : view.each("known");
  const shown = (status) => list(secrets.filter((row) => row.status === status).reverse(), (row) => secretItem(view, row, false), { cls: "items cards" });
  return {
    title: words("page.secrets"),
    wide: true,
    body: [
      heading(words("page.secrets")),
      el("p", { class: "muted lead" }, words("about.secrets")),
      secrets.length || known.length ? null : el("p", { class: "muted" }, words("none_yet")),
      section("secret.n_kept", shown("kept")),
      section("secret.n_out", shown("out")),
      section("known.title", knowers(view, known)),
    ],
  };
};

/** Return what each knows, behind a line that opens; whoever knows most is first. */
function knowers(view, known) {
  const groups = [...grouped(inOrder(known), (row) => view.root(row.e))].sort(([, a], [, b]) => b.length - a.length);
  return groups.map(([id, rows]) => fold({ class: "fold knower" }, [label(view.name(id)), " ", el("span", { class: "muted" }, number(rows.length))],
    () => el("div", {}, el("p", {}, who(view, id)), list(rows, (row) => knownItem(view, row, false), { most: Infinity }))));
}
