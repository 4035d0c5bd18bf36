/* Keeps the screen awake where the browser can, and says so where it cannot. */

/* onChange(state): "awake", "asleep" (asked and refused) or "absent" (this browser cannot; it may also need https). */
export function keepAwake(onChange) {
  if (!("wakeLock" in navigator)) {
    onChange("absent");
    return;
  }
  const ask = () => {
    if (document.visibilityState !== "visible") return;
    navigator.wakeLock.request("screen").then(
      (lock) => {
        onChange("awake");
        lock.addEventListener("release", () => onChange("asleep"));
      },
      () => onChange("asleep")
    );
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
