/* A TV that waits to be paired: asks now and then, and goes to its board once somebody entered the code. */
import { getJson } from "../lib/requests.js";
import { reloadOnceServed } from "../live/leaving.js";

const ASK_MS = 3000;
const REFUSED_MS = 60000;

function later(ms) {
  window.setTimeout(ask, ms);
}

function ask() {
  getJson("/pair/state/").then(({ body }) => {
    if (!body) later(ASK_MS * 3);
    else if (body.state === "paired") go(body.next);
    else if (body.state === "over") window.location.reload();
    else later(ASK_MS);
  });
}

/* The board's page plays its test tone then, where the TV was given its sound. */
function go(url) {
  try {
    window.sessionStorage.setItem("wallboard.paired", "1");
  } catch (error) {
    // Without storage the TV is paired without a tone.
  }
  window.location.replace(url);
}

if (document.querySelector(".pair-code")) later(ASK_MS);
else reloadOnceServed(REFUSED_MS);
