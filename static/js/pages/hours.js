// Hours that are written for a queue are its own: the choice above them follows, so that saving keeps them.

const choice = (value) => /** @type {HTMLInputElement | null} */ (document.querySelector(`[name=kind][value=${value}]`));
const days = document.querySelector(".hours-grid");
const closedDays = /** @type {HTMLTextAreaElement} */ (document.querySelector("[name=closed_days]"));

if (choice("own")) {
  days.addEventListener("input", () => {
    choice("own").checked = true;
  });
  // A queue that is always open may be closed on single days.
  closedDays.addEventListener("input", () => {
    if (choice("inherited").checked) choice("own").checked = true;
  });
}
