// Templates of the desk whose parts are named by data-slot.

import { fromTemplate } from "../lib/dom.js";

/**
 * A copy of the one element in the page's <template> of that id, with a function that finds its slots, the elements with data-slot.
 * @param {string} id
 * @returns {{element: HTMLElement, slot: (name: string) => any}}
 */
export function templateWithSlots(id) {
  const element = fromTemplate(id);
  return { element, slot: (name) => element.querySelector('[data-slot="' + name + '"]') };
}
