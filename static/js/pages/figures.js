// What a figure means, told wherever data-figure names one: by a tap on it, and for the whole page by the button at its end.
import { tellFigures } from "../lib/about-box.js";
import { figuresAt } from "../lib/figure-marks.js";

const CONTROLS = "a, button, input, select, textarea, label, summary, dialog, [contenteditable]";
const all = /** @type {HTMLElement | null} */ (document.getElementById("figures-all"));

/** Seconds since the page was loaded, null for what it keeps live. */
function ageOf(node) {
  return node.closest("[data-live]") ? null : performance.now() / 1000;
}

/** The keys that this page has, in the order in which they stand there. */
function keysOfPage() {
  const marks = [...document.querySelectorAll("main [data-figure]")];
  return [...new Set(marks.flatMap((each) => each.getAttribute("data-figure").split(" ")))];
}

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest(CONTROLS) || target.closest("#about") || !getSelection().isCollapsed) return;
  const keys = figuresAt(target);
  if (keys.length) tellFigures("", keys, ageOf(target), target);
});
if (all && keysOfPage().length) {
  all.hidden = false;
  all.addEventListener("click", () => tellFigures(all.textContent.trim(), keysOfPage(), performance.now() / 1000, all));
}
