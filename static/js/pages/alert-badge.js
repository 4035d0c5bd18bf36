/* The badge on pages that show no alerts themselves. */
import { Badge } from "../alerts/badge.js";
import { followSwitch } from "../alerts/sound-switch.js";
import { SharedAlerts } from "../alerts/shared.js";
import { Sound } from "../alerts/sound.js";
import { showSentAway } from "../views/sent-away.js";

// Boards and the alerts page have a socket that follows them, and feed the badge from it.
if (!document.getElementById("alert-bar")) {
  const settings = JSON.parse(document.getElementById("badge").textContent);
  const sound = new Sound(() => {});
  const alerts = new SharedAlerts(settings.viewer);
  const badge = new Badge(document.getElementById("alert-badge"), sound, false);
  const update = () => {
    badge.update(alerts.now.list, alerts.now.isKnown);
    // The desk says it in its own words.
    if (document.getElementById("signed-out")) showSentAway(alerts.closedCode);
  };
  sound.want(settings.sound);
  followSwitch(sound);
  setInterval(update, 1000);
  update();
}
