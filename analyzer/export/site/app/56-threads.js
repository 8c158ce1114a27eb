// Threads, and secrets with who knows what.

/** All threads, each once: its line in the picture opens to who it is about, its steps and its words. */
PAGES.threads = (view, path, asked) => ({
  title: words("page.threads"),
  wide: true,
  body: [
    heading(words("page.threads")),
    el("p", { class: "muted lead" }, words("about.threads")),
    view.of("thread").size ? section("threads.picture", threadChart(view, asked.get("t"))) : el("p", { class: "muted" }, words("none_yet")),
  ],
});

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
