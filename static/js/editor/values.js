// Small things about plain values: comparing, ids, and the names of cards.

/** Whether two JSON values are the same; the order of an object's keys does not count. */
export function same(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const keys = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => key in other && same(one[key], other[key]));
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A random id of letters and digits, so that two editors never make the same one. */
export function newId(length = 10) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return (
    "c" +
    Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length])
      .join("")
      .slice(1)
  );
}

/** What a card is called: its own title, else its kind. */
export function nameOf(card, kinds) {
  return card.title || kinds[card.kind].name;
}

export function isGrid(layout) {
  return Boolean(layout && layout.cards);
}
