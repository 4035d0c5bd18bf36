// A still picture of the board as PNG, drawn by the browser from the very elements and style sheets of the page: nothing is drawn twice.

const SHARP = 2; // pixels for each of the page's, as far as MOST_PIXELS allows
const MOST_PIXELS = 16000000;

/**
 * The elements one under the other, as they stand on the page.
 * @param {HTMLElement[]} nodes
 * @returns {Promise<Blob>} rejects where this browser cannot draw it
 */
export async function pictureOf(nodes) {
  const width = document.documentElement.clientWidth;
  const height = nodes.reduce((sum, node) => sum + node.offsetHeight, 0);
  const root = await copied(nodes, width, height);
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgOf(root, width, height));
  await image.decode();
  return drawn(image, width, height);
}

/**
 * @param {HTMLImageElement} image
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Blob>}
 */
function drawn(image, width, height) {
  const scale = Math.max(1, Math.min(SHARP, Math.floor(Math.sqrt(MOST_PIXELS / (width * height)))));
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The canvas gave no picture"))), "image/png"),
  );
}

/**
 * @param {HTMLElement} root
 * @param {number} width
 * @param {number} height
 */
function svgOf(root, width, height) {
  const inner = new XMLSerializer().serializeToString(root);
  const size = `width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><foreignObject ${size}>${inner}</foreignObject></svg>`;
}

/**
 * The page with these elements alone, in which everything that it needs is contained.
 * @param {HTMLElement[]} nodes
 * @param {number} width
 * @param {number} height
 */
async function copied(nodes, width, height) {
  const root = /** @type {HTMLElement} */ (document.documentElement.cloneNode(false));
  const body = /** @type {HTMLElement} */ (document.body.cloneNode(false));
  const style = document.createElement("style");
  style.textContent = await styles();
  Object.assign(root.style, { display: "block", width: `${width}px`, height: `${height}px`, overflow: "hidden" });
  root.style.fontSize = getComputedStyle(document.documentElement).fontSize;
  Object.assign(body.style, { minHeight: "0", width: `${width}px`, height: `${height}px` });
  root.append(style, body);
  for (const node of nodes) body.append(await copyOf(node));
  return root;
}

/** @param {HTMLElement} node */
async function copyOf(node) {
  const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
  for (const gone of copy.querySelectorAll("[data-unpictured], script, template")) gone.remove();
  Object.assign(copy.style, { flex: "none", height: `${node.offsetHeight}px` });
  for (const image of copy.querySelectorAll("img")) image.src = await contained(image.src);
  return copy;
}

async function styles() {
  const rules = [];
  for (const sheet of Array.from(document.styleSheets)) {
    if (sheet.disabled || (sheet.media.mediaText && !matchMedia(sheet.media.mediaText).matches)) continue;
    for (const rule of Array.from(sheet.cssRules)) rules.push(await ruleText(rule, sheet.href || location.href));
  }
  return rules.join("\n");
}

/**
 * @param {CSSRule} rule
 * @param {string} base what its addresses are relative to
 */
async function ruleText(rule, base) {
  // In the picture the page stands within the drawing, whose root is another.
  if (!(rule instanceof CSSFontFaceRule)) return rule.cssText.replace(/:root/g, "html");
  if (!isUsed(rule.style)) return "";
  const address = /url\("?([^")]+)"?\)/.exec(rule.style.getPropertyValue("src"));
  return address ? rule.cssText.replace(address[0], `url("${await contained(new URL(address[1], base).href)}")`) : "";
}

/**
 * Whether the page has loaded that part of a font: the others have none of its letters.
 * @param {CSSStyleDeclaration} style
 */
function isUsed(style) {
  const range = style.getPropertyValue("unicode-range").replace(/\s/g, "").toUpperCase();
  return Array.from(document.fonts).some(
    (face) => face.status === "loaded" && (!range || face.unicodeRange.replace(/\s/g, "").toUpperCase() === range),
  );
}

/**
 * What lies at an address of this site, as an address that holds it.
 * @param {string} address
 * @returns {Promise<string>}
 */
async function contained(address) {
  if (address.startsWith("data:")) return address;
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const blob = await answer.blob();
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}
