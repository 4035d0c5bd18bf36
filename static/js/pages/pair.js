/* A TV that waits to be paired: asks now and then, and goes to its board once somebody entered the code. */

const ASK_MS = 3000;
const REFUSED_MS = 60000;

function later(ms) {
  window.setTimeout(ask, ms);
}

function ask() {
  fetch("/pair/state/", { credentials: "same-origin", cache: "no-store" })
    .then((response) => response.json())
    .then((answer) => {
      if (answer.state === "paired") go(answer.next);
      else if (answer.state === "over") window.location.reload();
      else later(ASK_MS);
    })
    .catch(() => later(ASK_MS * 3));
}

/* The board's page plays its test tone then, where the TV was given its sound. */
function go(address) {
  try {
    window.sessionStorage.setItem("wallboard.paired", "1");
  } catch (error) {
    // Without storage the TV is paired without a tone.
  }
  window.location.replace(address);
}

if (document.querySelector(".pair-code")) later(ASK_MS);
else window.setTimeout(() => window.location.reload(), REFUSED_MS);
