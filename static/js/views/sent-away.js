/* Why a page has no connection any more: its sign-in ended, it is not open to this person now, or it has to be loaded anew. */
import { reloadSoon } from "../live/leaving.js";
import { SENT_AWAY } from "../live/socket.js";
import { setHidden } from "../lib/dom.js";

const TYPED_MS = 20000; // a pause in which a form may still be filled in
let typedAt = -TYPED_MS;

const SIGNED_OUT = 4401;

/* code: with which the server closed the connection. Whether that was for good; said in templates/_sent_away.html, which stays. */
export function showSentAway(code) {
  if (!SENT_AWAY.includes(code)) return false;
  setHidden(document.getElementById("signed-out"), code !== SIGNED_OUT);
  setHidden(document.getElementById("not-allowed"), code === SIGNED_OUT);
  return true;
}

/* Once a second: loads the page anew after what it may show has changed, but not while something is typed, which would be lost,
   nor while isInUse() says that it is needed. */
export function reloadWhenChanged(socket, isInUse = () => false) {
  const isHeld = () => isTyping() || isInUse();
  if (socket.hasChanged && !isHeld()) reloadSoon(isHeld);
}

function isTyping() {
  const field = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const isUnsent = field !== null && "defaultValue" in field && field.value !== field.defaultValue;
  return isUnsent || performance.now() - typedAt < TYPED_MS;
}

document.addEventListener("input", () => {
  typedAt = performance.now();
});
