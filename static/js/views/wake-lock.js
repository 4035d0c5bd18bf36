/* Keeps the screen awake where the browser can, and says so where it cannot. */

const AGAIN_MS = 30000;

/* onChange(state): "awake", "asleep" (asked and refused), "absent" (this browser cannot) or "insecure" (only over https). */
export function keepAwake(onChange) {
  if (!("wakeLock" in navigator)) {
    onChange(isSecureContext ? "absent" : "insecure");
    return;
  }
  let isHeld = false;
  const lost = () => {
    isHeld = false;
    onChange("asleep");
  };
  const ask = () => {
    if (isHeld || document.visibilityState !== "visible") return;
    navigator.wakeLock.request("screen").then((lock) => {
      isHeld = true;
      onChange("awake");
      lock.addEventListener("release", lost);
    }, lost);
  };
  document.addEventListener("visibilitychange", ask);
  // Browsers let go of it when the page is hidden or the battery is low, and give it back only when asked.
  setInterval(ask, AGAIN_MS);
  ask();
}
