// The page on which somebody dials a number to be linked: shows the number and what became of the call, and goes on
// by itself. While nobody looks at the page it asks on, for the phone may be another window, but takes no new number.

import { fill, length } from "../desk/times.js";

const PAUSE_MS = 2000;
const PATIENCE_MS = 60_000;
const settings = JSON.parse(document.getElementById("page").textContent);
const part = (name) => document.getElementById(`link-${name}`);
let endsAt = 0;
let refusedAt = -PATIENCE_MS;
let isRefused = false;
let doubt = "";

function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function show({ number, seconds, said }) {
  endsAt = number ? Date.now() + seconds * 1000 : 0;
  say(part("number"), number || settings.words.none);
  part("code").hidden = number !== "" || !isRefused;
  say(part("said"), said || doubt);
  count();
}

function count() {
  const left = endsAt - Date.now();
  say(part("counts"), left > 0 ? fill(settings.words.counts, { time: length(left) }) : "");
}

/** A number for whoever has none; where there is none to be had, not again for a while. */
async function take() {
  if (document.hidden || performance.now() - refusedAt < PATIENCE_MS) {
    return;
  }
  const headers = { Accept: "application/json", "X-CSRFToken": settings.csrf };
  const answer = await fetch(settings.addresses.number, { method: "POST", headers });
  const { is_shown: isShown, said } = await answer.json();
  doubt = said;
  isRefused = !isShown;
  if (isRefused) {
    refusedAt = performance.now();
  }
}

async function ask() {
  const answer = await fetch(settings.addresses.state, { headers: { Accept: "application/json" } });
  return answer.json();
}

async function look() {
  try {
    let state = await ask();
    if (!state.is_over && !state.number) {
      await take();
      state = await ask();
    }
    if (state.is_over) {
      location.reload();
      return;
    }
    show(state);
  } catch {
    // Offline for a moment: the next look tells.
  }
  setTimeout(look, PAUSE_MS);
}

show(settings.state);
setInterval(count, 500);
look();
