/* Shows what is pushed to this browser, also while no page is open. It answers no requests, so no page depends on it. */

const KEY = "/notifications/push/key/"; // notifications/views/push.py
const SUBSCRIBE = "/notifications/push/";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => event.waitUntil(show(event.data ? event.data.json() : {})));
self.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification, event.action)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAnew(event)));

/* What notifications/channels/webpush.py sends; a browser demands that something is shown for each message. */
async function show(message) {
  if (message.is_resolved) await closeAbout(message.alerts || []);
  const options = {
    body: message.text || "",
    tag: message.tag || "",
    renotify: Boolean(message.tag) && !message.is_resolved,
    requireInteraction: message.level === "late" && !message.is_resolved,
    silent: Boolean(message.is_resolved),
    icon: "/static/icons/app-192.png", // telephones draw no SVG here
    lang: message.language || "",
    dir: "auto",
    data: { url: message.url, acknowledgeUrl: message.acknowledge_url, alerts: message.alerts || [] },
    actions: message.acknowledge_url ? [{ action: "acknowledge", title: message.acknowledge_text }] : [],
  };
  await self.registration.showNotification(message.title || "Wallboard", options);
}

/* Notifications that tell of nothing but these alerts say what is no longer true. */
async function closeAbout(alerts) {
  const over = new Set(alerts);
  const shown = await self.registration.getNotifications();
  shown.filter((each) => isAllOf(each.data?.alerts, over)).forEach((each) => each.close());
}

function isAllOf(alerts, over) {
  return Boolean(alerts && alerts.length) && alerts.every((each) => over.has(each));
}

/* The page behind the message, in a window that shows it already or in a new one. */
async function open(notification, action) {
  notification.close();
  const { url, acknowledgeUrl } = notification.data || {};
  const address = action === "acknowledge" ? acknowledgeUrl : url;
  if (!address) return null;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = windows.find((each) => each.url === address);
  return same ? same.focus() : self.clients.openWindow(address);
}

/* The push service gave this browser a new address: without telling the server, no message would come any more. */
async function subscribeAnew(event) {
  const answer = await fetch(KEY, { credentials: "same-origin", redirect: "error" });
  const { key, csrf } = await answer.json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const fresh = event.newSubscription || (await self.registration.pushManager.subscribe(options));
  const body = { subscription: fresh.toJSON(), old_endpoint: event.oldSubscription ? event.oldSubscription.endpoint : "" };
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrf };
  await fetch(SUBSCRIBE, { method: "POST", credentials: "same-origin", headers, body: JSON.stringify(body) });
}
