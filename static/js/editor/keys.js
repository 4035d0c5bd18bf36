// The editor by keyboard: arrows move and resize the chosen card, Delete takes it away, Ctrl+Z and Ctrl+Y go back and forth.
import { along } from "./direction.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A key on a card's handle; remove(id) takes the card away. */
export function onCardKey(event, id, work, remove) {
  const by = STEPS[event.key];
  if (by && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    const [x, y] = [along() * by[0], by[1]];
    if (event.shiftKey) work.resize(id, x, y);
    else work.move(id, x, y);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    event.preventDefault();
    remove(id);
  }
}

/** Undo and redo wherever no text is being typed. */
export function listenForUndo(work) {
  document.addEventListener("keydown", (event) => {
    const isText = /** @type {Element} */ (event.target).matches("input:not([type=checkbox], [type=radio], [type=file]), textarea");
    const key = event.key.toLowerCase();
    if (isText || document.querySelector("dialog[open]") || !(event.ctrlKey || event.metaKey)) return;
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) work.redo();
    else work.undo();
  });
}
