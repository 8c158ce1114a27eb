// The timeline: all that happened so far, chapter by chapter, of one kind or with one person if wanted.

const MOST_THEN = 12; // chapters, the newest first, before the rest is asked for

PAGES.timeline = (view, path, asked) => {
  const wanted = { kind: asked.get("kind") || "", who: asked.get("who") || "" };
  const events = happenings(view);
  const place = el("div", { class: "timeline" });
  const show = () => place.replaceChildren(...timelineBody(view, events, wanted));
  show();
  return {
    title: words("page.timeline"),
    body: [heading(words("page.timeline")), el("p", { class: "muted lead" }, words("about.timeline")), timelineTools(view, wanted, show), place],
  };
};

function timelineTools(view, wanted, show) {
  const collator = new Intl.Collator(site.lang, { numeric: true });
  const people = view.cast("character").sort((a, b) => collator.compare(a.name, b.name)).map((row) => [row.key, row.name]);
  const kinds = shownHappenings().map((type) => [type, words(`timeline.${type}`)]);
  const changed = (name) => (value) => {
    wanted[name] = value;
    ask(name, value);
    show();
  };
  return el("div", { class: "tools" },
    choice("timeline.kind", [["", words("timeline.all")], ...kinds], wanted.kind, changed("kind")),
    choice("timeline.who", [["", words("timeline.everybody")], ...people], wanted.who, changed("who")));
}

function timelineBody(view, events, wanted) {
  const fits = events.filter((event) => (!wanted.kind || event.type === wanted.kind) && (!wanted.who || event.ids.includes(wanted.who)));
  if (!fits.length) return [el("p", { class: "muted", role: "status" }, words("timeline.nothing"))];
  const chapters = [...grouped(fits, (event) => event.c)].reverse();
  const then = ([n, those]) => el("section", { class: "then", "aria-labelledby": `then-${n}` },
    el("h2", { id: `then-${n}` }, chapterLink(view, n, true)), typedRows(view, those, MOST));
  return [list(chapters, then, { cls: "thens", most: MOST_THEN })].flat();
}
