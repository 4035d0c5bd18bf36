/* Why a page has no connection any more: its sign-in ended, or it is not open to this person now. */
import { SENT_AWAY } from "../live/socket.js";
import { setHidden } from "../lib/dom.js";

const SIGNED_OUT = 4401;

/* code: with which the server closed the connection. Whether that was for good; said in templates/_sent_away.html, which stays. */
export function showSentAway(code) {
  if (!SENT_AWAY.includes(code)) return false;
  setHidden(document.getElementById("signed-out"), code !== SIGNED_OUT);
  setHidden(document.getElementById("not-allowed"), code === SIGNED_OUT);
  return true;
}
