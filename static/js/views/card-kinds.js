/* The kinds of cards, as views/cards.js brings them. Each has size(node, box, plan, count), update(node, card, data, page) and, where it
matters how many things stand on it, count(card, data). Where the page scrolls, `stacked` is its height in px; without, the style sheet
lays it out as variant `loose` with so many `rows`. */
export const KINDS = {};
export const STACK = {}; // how cards stand one under the other; empty on a TV, which never scrolls (stack.js)

export function templateOf(kind) {
  return document.querySelector('template[data-kinds~="' + kind + '"]');
}
