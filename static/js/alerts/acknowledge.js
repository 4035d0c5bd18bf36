/* The button on an alert that acknowledges it; a TV has none. */
import { part, setHidden, setText } from "../lib/dom.js";
import { postJson } from "../lib/requests.js";

/* Acknowledge what is clicked. The page holds Django's token against foreign posts in its form for signing out. */
export function listenToBar(bar, texts) {
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-alert]");
    if (button) acknowledge(bar, button, texts);
  });
}

function acknowledge(bar, button, texts) {
  const failed = part(bar, "alert-failed");
  button.disabled = true;
  setHidden(failed, true);
  const csrf = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
  postJson("/alerts/" + button.getAttribute("data-alert") + "/acknowledge/", {}, csrf).then(({ ok, status }) => {
    const isDone = ok || status === 404; // gone: another one was faster
    button.disabled = false;
    setText(failed, isDone ? "" : texts.failed);
    setHidden(failed, isDone);
  });
}
