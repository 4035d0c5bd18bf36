/* What a figure on a board means, told beside the button that asks for it. No TV loads this. */
import { tellCard } from "../lib/about-box.js";
import { aboutCard, aboutQueue, keysOf, QUEUE_KEYS } from "./about.js";
import { nameOf } from "./card-scope.js";

/* Tells what the buttons [data-about] on this page ask for; shown: {state, page} as they are drawn at that time. */
export function explainFigures(shown) {
  document.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-about]");
    if (button) explain(button, shown);
  });
}

function explain(button, shown) {
  const name = button.getAttribute("data-about");
  if (name === "queue") {
    const queue = shown.state.byNumber.get(button.closest("[data-key]").getAttribute("data-key"));
    tellCard(nameOf(queue), aboutQueue(queue, shown.page), QUEUE_KEYS, button);
    return;
  }
  const { card } = button.closest("[data-kind]");
  const label = button.parentElement.querySelector("[data-whole], .card-title");
  const title = label.getAttribute("data-whole") || label.textContent;
  tellCard(title, aboutCard(card, name, shown.state, shown.page), keysOf(card, name), button);
}
