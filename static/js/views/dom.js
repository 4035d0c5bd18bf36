/* Small steps on the page that change it only where something differs. */

/* What was written last is kept beside the node: asking the page for it would cost as much as writing. */
export function setText(node, text) {
  if ((node.written === undefined ? node.textContent : node.written) !== text) node.textContent = text;
  node.written = text;
}

export function setAttribute(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

export function setHidden(node, isHidden) {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

export function setVariable(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

/* The attribute data-<name>, by which style sheets know how things stand. */
export function mark(node, name, value) {
  setAttribute(node, "data-" + name, value);
}

/* The first part of that name, which stays the same as long as the node lives. */
export function part(node, name) {
  const parts = node.parts || (node.parts = new Map());
  if (!parts.has(name)) parts.set(name, node.querySelector("." + name));
  return parts.get(name);
}

/* The text of the part of that name. */
export function say(node, name, text) {
  setText(part(node, name), text);
}

export function hide(node, name, isHidden) {
  setHidden(part(node, name), isHidden);
}

export function fromTemplate(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

/* Whether everything that a part was drawn from is as it was; `now` in ms. A part whose text counts seconds is always drawn
anew, all others once a minute, for the times of day and whole minutes that they may tell. */
export function isDrawn(node, from, isTicking, now) {
  const before = node.drawnFrom;
  const all = from.concat(Math.floor(now / 60000));
  node.drawnFrom = all;
  return !isTicking && Boolean(before) && all.every((each, index) => each === before[index]);
}

/* Makes the children of `parent` be exactly `keys`, in that order, keeping the nodes that already stand there. */
export function keepChildren(parent, keys, make) {
  const kept = parent.kept;
  if (kept && kept.keys.length === keys.length && keys.every((key, index) => key === kept.keys[index])) return kept.nodes;
  const nodes = arranged(parent, keys, make);
  parent.kept = { keys, nodes };
  return nodes;
}

function arranged(parent, keys, make) {
  const known = new Map();
  for (const child of Array.from(parent.children)) known.set(child.getAttribute("data-key"), child);
  let next = parent.firstElementChild;
  const nodes = keys.map((key) => {
    let node = known.get(key);
    known.delete(key);
    if (!node) {
      node = make(key);
      node.setAttribute("data-key", key);
    }
    if (next === node) next = next.nextElementSibling;
    else parent.insertBefore(node, next);
    return node;
  });
  known.forEach((node) => parent.removeChild(node));
  return nodes;
}

export function px(value) {
  return Math.floor(value * 10) / 10 + "px";
}
