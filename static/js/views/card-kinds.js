/* The kinds of cards that are loaded. Each has size(node, box, plan, count), update(node, card, data, page) and, where it matters how
many things stand on it, count(card, data). Where the page scrolls, `stacked` is its height in px; without, the style sheet
lays it out as variant `loose` with so many `rows`. A kind's template names its script, so a TV loads only what its board shows. */
export const KINDS = {};
export const STACK = {}; // how cards stand one under the other; empty on a TV, which never scrolls (stack.js)

const asked = new Set();

export function templateOf(kind) {
  return document.querySelector('template[data-kinds~="' + kind + '"]');
}

/* The kind, or nothing while its script is on its way; "kind-loaded" on document says when it is there. */
export function kindOf(name) {
  if (!KINDS[name]) load(templateOf(name).getAttribute("data-script"));
  return KINDS[name];
}

function load(source) {
  if (asked.has(source)) return;
  asked.add(source);
  const script = document.createElement("script");
  script.type = "module";
  script.src = source;
  script.onload = () => document.dispatchEvent(new CustomEvent("kind-loaded"));
  // The server may be restarting: the next drawing asks again.
  script.onerror = () => setTimeout(() => asked.delete(source), 5000);
  document.head.appendChild(script);
}
