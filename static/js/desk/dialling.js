// Whoever clicks a number makes a call. People who are hidden from the feed of the people get no other word of it.

const DIALS_WITHIN_MS = 3_000; // from the click until it rings at the other end

/** act() is called when a call that was begun on this page should have begun to ring. */
export function onDial(act) {
  document.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest?.('a[href^="tel:"]')) {
      setTimeout(act, DIALS_WITHIN_MS);
    }
  });
}
