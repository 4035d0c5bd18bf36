/* How wide texts are in the font that this page really has: measured, because a TV may have another one than we think. */

const SIZE = 100; // px; large enough that rounding does not matter
const widths = new Map();
let version = 0;
let rule = null;

/* The width of a text in letters' own height (em). All digits are as wide as each other, so "4:08" is measured as "0:00". */
export function widthOf(text, isStrong) {
  const key = (isStrong ? "strong " : "plain ") + text.replace(/\d/g, "0");
  if (!widths.has(key)) widths.set(key, measured(key.slice(isStrong ? 7 : 6), isStrong));
  return widths.get(key);
}

export function widest(texts, isStrong) {
  return texts.reduce((most, text) => Math.max(most, widthOf(text, isStrong)), 0);
}

/* Keeps the last answer: a layout is sought among hundreds of areas, all of them for one list on one page. */
export function remembered(make) {
  let last = [];
  return (list, page) => {
    if (list !== last[0] || page !== last[1]) last = [list, page, make(list, page)];
    return last[2];
  };
}

/* Goes up when another font has come: what was measured before no longer holds. */
export function fontVersion() {
  return version;
}

function measured(text, isStrong) {
  if (!rule) {
    rule = document.body.appendChild(document.createElement("span"));
    rule.setAttribute("aria-hidden", "true");
  }
  rule.className = isStrong ? "ruler ruler-strong" : "ruler";
  rule.textContent = text;
  return rule.getBoundingClientRect().width / SIZE;
}

/* Cards are sized anew, as for a window of another size. */
function forget() {
  widths.clear();
  version += 1;
  window.dispatchEvent(new Event("resize"));
}

document.fonts.ready.then(forget);
document.fonts.addEventListener("loadingdone", forget);
