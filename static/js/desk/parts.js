// Copies of the page's <template> parts and the slots in them.

/** A copy of the template with that id: its one element, and a function that finds its slots. */
export function part(id) {
  const element = document.getElementById(id).content.firstElementChild.cloneNode(true);
  return { element, slot: (name) => element.querySelector(`[data-slot="${name}"]`) };
}

/** Set the text only where it changed, so that a screen reader and a selection are left alone. */
export function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** As say(), and hidden while there is nothing to say. */
export function sayOrHide(element, text) {
  say(element, text);
  element.hidden = text === "";
}

/** Put these elements in this order into the parent, moving as few as possible. */
export function order(parent, elements) {
  elements.forEach((element, place) => {
    if (parent.children[place] !== element) {
      parent.insertBefore(element, parent.children[place] ?? null);
    }
  });
  while (parent.children.length > elements.length) {
    parent.lastElementChild.remove();
  }
}
