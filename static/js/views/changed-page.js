/* A page that has to be loaded anew, since what it may show or what it is written with has changed. */
import { reloadSoon } from "../live/leaving.js";

const TYPED_MS = 20000; // a pause in which a form may still be filled in
let typedAt = -TYPED_MS;

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
