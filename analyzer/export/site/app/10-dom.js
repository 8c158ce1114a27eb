// Nodes and words. Text enters the page as text nodes alone; markup is never made from strings.

const site = window.analyzerSite;
const SVG = "http://www.w3.org/2000/svg";

/** Return an element. `attrs`: attributes by name, `on…` listeners, `class`, `hidden: true`; null, undefined and false are left out. */
function el(tag, attrs, ...children) {
  return dress(document.createElement(tag), attrs, children);
}

/** Return an SVG element, in the same way. */
function svg(tag, attrs, ...children) {
  return dress(document.createElementNS(SVG, tag), attrs, children);
}

function dress(node, attrs, children) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  add(node, children);
  return node;
}

/** Append nodes, strings and (nested) lists of them; null and false are left out. */
function add(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(node, child);
    else node.append(child);
  }
  return node;
}

/** Return words of the interface, `{name}` filled from `values`; the last part of a key that has none. */
function words(key, values) {
  const found = Object.hasOwn(site.words, key) ? site.words[key] : key.slice(key.lastIndexOf(".") + 1).replaceAll("_", " ");
  return found.replace(/\{(\w+)\}/g, (all, name) => (values && Object.hasOwn(values, name) ? String(values[name]) : all));
}

/** Return words that go with a number: `key.one`, `key.few`, `key.many`, `key.other`, as the language counts; `{n}` is the number. */
function counted(key, n) {
  const form = rulesOf("PluralRules").select(n);
  const name = Object.hasOwn(site.words, `${key}.${form}`) ? `${key}.${form}` : `${key}.other`;
  return words(name, { n: number(n) });
}

function number(n) {
  return rulesOf("NumberFormat").format(n);
}

/** Return the language's rules of a kind, made once: making them takes far longer than asking them. */
const ruled = new Map();
function rulesOf(kind) {
  if (!ruled.has(kind)) ruled.set(kind, new Intl[kind](site.uiLang));
  return ruled.get(kind);
}

/** Return words of the manuscript, kept apart from the line they stand in: their direction is their own. */
function bdi(text, attrs) {
  return el("bdi", { lang: site.lang, ...attrs }, text);
}
