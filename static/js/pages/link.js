// The page on which somebody dials a number to be linked: shows the number and what became of the call, and goes on
// by itself. While nobody looks at the page it asks on, for the phone may be another window, but takes no new number.

import { getJson, postJson } from "../lib/requests.js";
import { setText } from "../lib/dom.js";
import { duration, fill } from "../lib/format.js";

const PAUSE_MS = 2000;
const PATIENCE_MS = 60_000;
const settings = JSON.parse(document.getElementById("page").textContent);
const part = (name) => document.getElementById(`link-${name}`);
let endsAt = 0;
let refusedAt = -PATIENCE_MS;
let isRefused = false;
let doubt = "";

function show({ number, seconds, message }) {
  endsAt = number ? Date.now() + seconds * 1000 : 0;
  setText(part("number"), number || settings.texts.none);
  part("code").hidden = number !== "" || !isRefused;
  setText(part("message"), message || doubt);
  count();
}

function count() {
  const left = endsAt - Date.now();
  setText(part("counts"), left > 0 ? fill(settings.texts.counts, { time: duration(left / 1000) }) : "");
}

/** A number for whoever has none; where there is none to be had, not again for a while. */
async function take() {
  if (document.hidden || performance.now() - refusedAt < PATIENCE_MS) {
    return;
  }
  const { body } = await postJson(settings.urls.number, {}, settings.csrf);
  if (!body) {
    return;
  }
  const { is_shown: isShown, message } = body;
  doubt = message;
  isRefused = !isShown;
  if (isRefused) {
    refusedAt = performance.now();
  }
}

/** Whether call events come in may change while somebody dials. */
async function renewDoubt(number) {
  if (number) {
    const { body } = await getJson(settings.urls.number);
    doubt = body?.message ?? doubt;
  }
}

async function ask() {
  const { body } = await getJson(settings.urls.state);
  return body;
}

async function look() {
  let state = await ask();
  if (state && !state.is_over && !state.number) {
    await take();
    state = await ask();
  }
  if (state?.is_over) {
    location.reload();
    return;
  }
  if (state) {
    await renewDoubt(state.number);
    show(state);
  } // else offline for a moment: the next look tells
  setTimeout(look, PAUSE_MS);
}

show(settings.state);
setInterval(count, 500);
look();
