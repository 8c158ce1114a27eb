// The book as of a chapter: pieces applied in order, and the questions pages ask of it.

/** A piece that arrived; the first of its name stays. */
const pieces = new Map();

/** Rows as of a chapter. Classes and keys are Maps, so that no key can be taken for a property of an object. */
class View {
  constructor(through) {
    this.n = 0;
    this.rows = new Map();
    for (const piece of through) this.take(piece);
    this.named = new Map();
  }

  take(piece) {
    this.n = piece.chapter;
    for (const [kind, changed] of Object.entries(piece.rows)) {
      if (!this.rows.has(kind)) this.rows.set(kind, new Map());
      const rows = this.rows.get(kind);
      for (const [key, fields] of Object.entries(changed)) {
        if (fields === null) rows.delete(key);
        else rows.set(key, mended(rows.get(key), this.quoted(fields)));
      }
    }
  }

  /** Return fields with quotations in place of their numbers: [chapter, place, text, source] each. They come before what quotes them. */
  quoted(fields) {
    if (!fields.q) return fields;
    const quotes = fields.q.map((key) => this.of("quote").get(key)).filter(Boolean);
    return { ...fields, q: quotes.map((quote) => [quote.c, quote.at, quote.text, quote.by]) };
  }

  /** Return the rows of a class by key. */
  of(kind) {
    return this.rows.get(kind) || new Map();
  }

  /** Return the rows of a class, each with its key, in the order of the story. */
  each(kind) {
    return [...this.of(kind)].map(([key, row]) => ({ key, ...row }));
  }

  entity(id) {
    return this.of("entity").get(id);
  }

  /** Return who somebody is by now. */
  root(id) {
    for (let hops = 0; hops < 100; hops++) {
      const row = this.entity(id);
      if (!row || !row.into) return id;
      id = row.into;
    }
    return id;
  }

  /** Return the cast of some kinds (all without), whoever turned out to be another left out, in order of entrance. */
  cast(...kinds) {
    return this.each("entity").filter((row) => !row.into && (!kinds.length || kinds.includes(row.kind)));
  }

  /** Return how somebody is called as of now. */
  name(id) {
    if (id === "reader") return words("the_reader");
    const row = this.entity(this.root(id));
    return row ? row.name : words("somebody");
  }

  /** Return the chapters so far, in order. */
  chapters() {
    return this.each("chapter").sort((a, b) => a.n - b.n);
  }

  /** Return how somebody is there by chapter: a Map n -> {how, mentions}, those who turned out to be them left in under their root. */
  presence(id) {
    if (!this.presences) {
      this.presences = new Map();
      for (const [n, there] of this.of("there")) {
        for (const [who, [how, mentions]] of Object.entries(there)) {
          if (!this.presences.has(who)) this.presences.set(who, new Map());
          this.presences.get(who).set(Number(n), { how, mentions });
        }
      }
    }
    return this.presences.get(id) || new Map();
  }

  /** Return the relations of somebody. */
  relations(id) {
    return this.each("relation").filter((row) => row.a === id || row.b === id);
  }

  /** Return the words that show a relation, a row a chapter, in order. */
  said(key) {
    if (!this.saids) {
      this.saids = new Map();
      for (const row of this.of("said").values()) {
        if (!this.saids.has(row.r)) this.saids.set(row.r, []);
        this.saids.get(row.r).push(row);
      }
      for (const rows of this.saids.values()) rows.sort((a, b) => a.c - b.c);
    }
    return this.saids.get(key) || [];
  }
}

/** Return a row with the fields that changed; null takes a field away. */
function mended(row, fields) {
  const whole = { ...row, ...fields };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete whole[name];
  return whole;
}

/** Return what the other end of a relation is to `id`: a word such as "parent". */
function role(row, id) {
  return words(row.a === id ? `role.${row.k}.b` : `role.${row.k}.a`);
}
