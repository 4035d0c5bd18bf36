/* Small steps on the page that change it only where something differs. Runs on TVs of 2020 too. */

/**
 * What stands beside a node: asking the page for it would cost as much as writing.
 * @typedef {object} Beside
 * @property {string} [written] the text that was written last
 * @property {Text} [only] what it was written into, held so that the browser need not give it to scripts anew each time
 * @property {unknown[]} [drawnFrom]
 * @property {Map<string, string>} [marks] what setData() wrote
 * @property {{keys: string[], nodes: HTMLElement[]}} [kept] what keepChildren() made
 */
/** @typedef {Element & Beside} Drawn */

/**
 * Writes into the text that stands there where it is all there is: a new one would have to be made, and the old one cleared away.
 * @param {Drawn} node
 * @param {string} text
 */
export function setText(node, text) {
  const before = node.written === undefined ? node.textContent : node.written;
  if (before !== text) {
    const only = /** @type {Text | null} */ (node.firstChild);
    if (text && only && (only === node.only || only.nodeType === 3) && !only.nextSibling) {
      node.only = only;
      only.data = text;
    } else node.textContent = text;
  }
  node.written = text;
}

/**
 * As setText(), and hidden while there is no text.
 * @param {Drawn} node
 * @param {string} text
 */
export function setTextOrHide(node, text) {
  setText(node, text);
  setHidden(node, text === "");
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function setAttribute(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * @param {Element & {hidden?: boolean | string}} node
 * @param {boolean} isHidden
 */
export function setHidden(node, isHidden) {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/**
 * @param {HTMLElement} node
 * @param {string} name of a custom property, with its dashes
 * @param {string} value
 */
export function setVariable(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

/**
 * The attribute data-<name>, by which style sheets know how things stand. Whoever writes one by this writes it by nothing else.
 * @param {Drawn} node
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function setData(node, name, value) {
  const text = String(value);
  const marks = node.marks || (node.marks = new Map());
  if (marks.get(name) === text) return;
  marks.set(name, text);
  setAttribute(node, "data-" + name, text);
}

/**
 * The first part of that class, which stays the same as long as the node lives; callers know that it is there.
 * @param {any} node an element or the document
 * @param {string} name
 * @returns {HTMLElement}
 */
export function part(node, name) {
  const parts = node.parts || (node.parts = new Map());
  const known = parts.get(name);
  if (known !== undefined) return known;
  const found = node.querySelector("." + name);
  parts.set(name, found);
  return found;
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string} text
 */
export function setPartText(node, name, text) {
  setText(part(node, name), text);
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {boolean} isHidden
 */
export function hidePart(node, name, isHidden) {
  setHidden(part(node, name), isHidden);
}

/**
 * A copy of the one element in the page's <template> of that id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function fromTemplate(id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return /** @type {HTMLElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
}

/**
 * Whether everything that a part was drawn from is as it was. A part whose text counts seconds is always drawn anew, all
 * others once a minute, for the times of day and whole minutes that they may tell.
 * @param {Drawn} node
 * @param {unknown[]} from
 * @param {boolean} isTicking
 * @param {number} now in ms
 */
export function isDrawn(node, from, isTicking, now) {
  const before = node.drawnFrom;
  from.push(Math.floor(now / 60000));
  node.drawnFrom = from;
  if (isTicking || before === undefined) return false;
  for (let index = 0; index < from.length; index += 1) if (from[index] !== before[index]) return false;
  return true;
}

/**
 * Makes the children of `parent` be exactly these nodes, in that order, moving few: one that went further down moves alone.
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function setChildren(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of Array.from(parent.children)) if (!wanted.has(child)) parent.removeChild(child);
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (next === node) next = next.nextElementSibling;
    else if (next && next.nextElementSibling === node) next = node.nextElementSibling;
    else parent.insertBefore(node, next);
  }
}

/**
 * Makes the children of `parent` be one per key, in that order, keeping the nodes that already stand there.
 * @param {Drawn} parent
 * @param {string[]} keys
 * @param {(key: string) => HTMLElement} make
 * @param {boolean} [areAlike] whether the node of a key that is gone may serve a new one
 * @returns {HTMLElement[]}
 */
export function keepChildren(parent, keys, make, areAlike) {
  const kept = parent.kept;
  if (kept && kept.keys.length === keys.length && keys.every((key, index) => key === kept.keys[index])) return kept.nodes;
  const before = kept ? kept.nodes : /** @type {HTMLElement[]} */ (Array.from(parent.children));
  /** @type {Map<string | null, HTMLElement>} */
  const known = new Map(before.map((node, index) => [kept ? kept.keys[index] : node.getAttribute("data-key"), node]));
  const found = keys.map((key) => {
    const node = known.get(key);
    known.delete(key); // a key that stands twice gets two nodes
    return node;
  });
  const free = areAlike ? Array.from(known.values()) : [];
  const nodes = keys.map((key, index) => found[index] || named(free.shift() || make(key), key));
  if (nodes.length !== before.length || nodes.some((node, index) => node !== before[index])) setChildren(parent, nodes);
  parent.kept = { keys, nodes };
  return nodes;
}

/**
 * @param {HTMLElement} node
 * @param {string} key
 */
function named(node, key) {
  node.setAttribute("data-key", key);
  return node;
}

/** @param {number} value */
export function px(value) {
  return Math.floor(value * 10) / 10 + "px";
}
