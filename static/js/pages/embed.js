/* What only a frame on another site does: it goes dark as soon as its link is revoked. */
import { SENT_AWAY } from "../live/socket.js";
import "../views/stack.js";
import { shown, socket } from "./board.js";
import "./board-alerts.js";

function goDark() {
  if (SENT_AWAY.includes(socket.status.closedCode)) document.documentElement.classList.add("is-dark");
}

document.addEventListener("board-drawn", goDark);
if (shown.state) goDark();
