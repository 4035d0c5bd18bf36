// The wizard's pages: waits for the provider's first message, copies what goes into its portal, and suggests the
// browser's own time zone, and the country that it is in.

import { getJson } from "../lib/requests.js";
import { setText } from "../lib/dom.js";

const PAUSE_MS = 1000;
const settings = JSON.parse(document.getElementById("page").textContent);
const copy = document.getElementById("copy");

function show(state) {
  const label = document.getElementById("events-label");
  label.className = `state state-${state.state}`;
  setText(label, state.label);
  setText(document.getElementById("events-summary"), state.summary);
  setText(document.getElementById("events-advice"), state.advice);
}

async function look() {
  const { body } = await getJson(settings.url);
  if (body && body.is_ready && !settings.state.is_ready) {
    location.replace(location.pathname); // now with the way on
    return;
  }
  if (body) {
    show(body);
  } // else offline for a moment: the next look tells
  setTimeout(look, PAUSE_MS);
}

function suggest(select, value) {
  if (!select.value && value) {
    select.value = value;
  }
}

function suggestRegion() {
  const [zone, country] = ["id_time_zone", "id_country"].map((id) => /** @type {HTMLSelectElement} */ (document.getElementById(id)));
  suggest(zone, (settings.zones[Intl.DateTimeFormat().resolvedOptions().timeZone] || [])[0]);
  suggest(country, (settings.zones[zone.value] || [])[1]);
}

if (settings.zones) {
  suggestRegion();
  document.getElementById("id_time_zone").addEventListener("change", suggestRegion);
}
if (settings.url) {
  setTimeout(look, PAUSE_MS);
}
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(settings.redirect);
    setText(copy, settings.texts.copied);
  });
}
