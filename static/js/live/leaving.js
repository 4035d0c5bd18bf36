// A page leaves itself only for one that is known to load: what a proxy shows while the server is away has no script
// that would bring this page back.

const AGAIN_MS = 3000;
const SOON_MS = 1000;
const APART_MS = 8000;
const NEVER = () => false;
let isLeaving = false;
let dueAt = 0;

// Loads this page anew once the server answers to its address, at the earliest after so many milliseconds. Called again
// meanwhile it does nothing. It stays where isHeld() says so by then.
/** @param {number} waitMs */
export function reloadOnceServed(waitMs, isHeld = NEVER) {
  if (isLeaving) return;
  isLeaving = true;
  setTimeout(() => attempt(isHeld), waitMs);
}

// The same for pages that call it once a second: soon, but not again and again where that does not help.
export function reloadSoon(isHeld = NEVER) {
  const now = performance.now();
  dueAt = dueAt || now + (now < APART_MS ? APART_MS : SOON_MS) * (1 + Math.random());
  if (now >= dueAt) reloadOnceServed(0, isHeld);
}

/** @param {() => boolean} isHeld */
function attempt(isHeld) {
  fetch(location.href, { credentials: "same-origin", cache: "no-store" })
    .then((answer) => {
      // A proxy answers with 502 or 503 while the server behind it is away.
      if (answer.status >= 500) throw new Error("not now");
      if (isHeld()) isLeaving = false;
      else location.reload();
    })
    // Spread, so that all TVs of an office do not come back in the same moment.
    .catch(() => setTimeout(() => attempt(isHeld), AGAIN_MS * (0.5 + Math.random())));
}
