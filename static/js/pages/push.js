// The card "Notifications on this device": says how it stands in this browser, and turns pushing on and off.

import { postJson } from "../lib/requests.js";
import { setHidden, setText } from "../lib/dom.js";

const settings = JSON.parse(document.getElementById("push-page").textContent);
const texts = settings.texts;
const part = (name) => document.getElementById(`push-${name}`);
const on = /** @type {HTMLButtonElement} */ (part("on"));
const off = /** @type {HTMLButtonElement} */ (part("off"));
let registration = null;

/** Why it cannot be turned on here; "" where it can. */
function hindrance() {
  if (!isSecureContext) return texts.insecure;
  const isPhoneOfApple = /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return isPhoneOfApple ? texts.install : texts.unsupported;
  }
  return Notification.permission === "denied" ? texts.blocked : "";
}

function show(isOn, message) {
  const hindered = hindrance();
  setText(part("state"), hindered || (isOn ? texts.on : texts.off));
  setText(part("message"), message || "");
  setHidden(on, Boolean(hindered) || isOn);
  setHidden(off, !isOn);
  on.disabled = off.disabled = false;
}

async function subscription() {
  const found = await registration.pushManager.getSubscription();
  // Made with another key, as by an installation whose database was set up anew: nobody can push to it.
  if (found && !isOurs(found)) {
    await found.unsubscribe();
    return null;
  }
  return found;
}

function isOurs(found) {
  const used = found.options && found.options.applicationServerKey;
  if (!used) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(used)));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "") === settings.key;
}

async function begin() {
  if (hindrance()) {
    show(false);
    return;
  }
  registration = await navigator.serviceWorker.register(settings.urls.worker, { scope: "/notifications/" });
  const found = await subscription();
  const answer = found && (await postJson(settings.urls.state, { endpoint: found.endpoint }, settings.csrf));
  show(Boolean(answer?.body?.is_on));
}

async function turnOn() {
  on.disabled = true;
  setText(part("message"), texts.wait);
  if ((await Notification.requestPermission()) !== "granted") {
    show(false, Notification.permission === "denied" ? "" : texts.refused);
    return;
  }
  await navigator.serviceWorker.ready.catch(() => null);
  const options = { userVisibleOnly: true, applicationServerKey: settings.key };
  const made = (await subscription()) || (await registration.pushManager.subscribe(options));
  const answer = await postJson(settings.urls.subscribe, { subscription: made.toJSON(), is_new: true }, settings.csrf);
  if (answer.ok && !answer.body?.message) {
    location.reload(); // the list below shows this device, and how its test went
    return;
  }
  show(answer.ok, answer.body?.message || texts.failed);
}

async function turnOff() {
  off.disabled = true;
  const found = await registration.pushManager.getSubscription();
  const answer = found && (await postJson(settings.urls.end, { endpoint: found.endpoint }, settings.csrf));
  if (found) await found.unsubscribe();
  if (!found || answer.ok) location.reload();
  else show(true, texts.failed);
}

on.addEventListener("click", () => turnOn().catch(() => show(false, texts.failed)));
off.addEventListener("click", () => turnOff().catch(() => show(true, texts.failed)));
begin().catch(() => show(false, texts.failed));
