// A page leaves itself only for one that is known to load: what a proxy shows while the server is away has no script
// that would bring this page back.

const AGAIN_MS = 3000;
let isLeaving = false;

// Loads this page anew once the server answers to its address, at the earliest after so many milliseconds. Called again
// meanwhile it does nothing.
/** @param {number} waitMs */
export function reloadOnceServed(waitMs) {
  if (isLeaving) return;
  isLeaving = true;
  setTimeout(attempt, waitMs);
}

function attempt() {
  fetch(location.href, { credentials: "same-origin", cache: "no-store" })
    .then((answer) => {
      // A proxy answers with 502 or 503 while the server behind it is away.
      if (answer.status >= 500) throw new Error("not now");
      location.reload();
    })
    // Spread, so that all TVs of an office do not come back in the same moment.
    .catch(() => setTimeout(attempt, AGAIN_MS * (0.5 + Math.random())));
}
