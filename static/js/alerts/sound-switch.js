/* The sound of a person is turned on and off by hand, for all of their pages; on a TV a supervisor does that from afar. */
import { postJson } from "../lib/requests.js";

const channel = "BroadcastChannel" in window ? new BroadcastChannel("wallboard-sound") : null;

/* By a person's hand: on with a test tone, or off. */
export function toggle(sound) {
  const isBlocked = sound.state === "blocked";
  if (!isBlocked) sound.want(!sound.isWanted);
  remember(sound.isWanted);
  if (sound.isWanted) sound.resume().then(() => sound.play("late"));
}

/* Other tabs of this browser follow at once, other browsers with their next page. */
export function followSwitch(sound) {
  if (channel) channel.onmessage = (event) => sound.want(event.data);
}

function remember(isWanted) {
  const csrf = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
  postJson("/alerts/sound/", { on: isWanted }, csrf);
  if (channel) channel.postMessage(isWanted);
}
