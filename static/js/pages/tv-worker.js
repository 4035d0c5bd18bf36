/* Stands between a TV's page and the network, so that the TV comes back whatever happens: no one is near with a keyboard.

   A page that the server does not give, or a proxy refuses for it, becomes one that tries again every few seconds; a
   script or style that fails is asked for again; and a page that loads but does not run is loaded anew. */

const CACHE = "wallboard-tv";
const WAITING = "/screen/waiting/"; // screens/views/tv.py
const AGAIN_SECONDS = 5;
const PATIENCE_MS = 20000; // for an answer to begin
const RUNS_WITHIN_MS = 45000;
const TRIES = 10;
const BETWEEN_TRIES_MS = 2000;
const running = new Set();

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepWaitingPage());
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => running.add(event.source.id));
self.addEventListener("fetch", (event) => {
  const request = event.request;
  const isFile = request.method === "GET" && request.url.indexOf(self.location.origin + "/static/") === 0;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (isFile) event.respondWith(file(request, TRIES));
});

async function page(event) {
  const answer = await soon(fetch(event.request)).catch(() => null);
  if (answer && answer.status < 500) {
    if (answer.ok) event.waitUntil(watch());
    return answer;
  }
  return waitingPage(await caches.match(WAITING));
}

/* It needs no script of its own: the header makes the browser ask for the address again. */
function waitingPage(kept) {
  const headers = new Headers(kept ? kept.headers : {});
  headers.set("Refresh", String(AGAIN_SECONDS));
  return new Response(kept ? kept.body : "", { status: 200, headers });
}

async function file(request, tries) {
  const answer = await soon(fetch(request)).catch(() => null);
  if (answer && answer.status < 500) return answer;
  const kept = await caches.match(request.url);
  if (kept) return kept;
  if (tries === 1) return answer || Response.error();
  await pause(BETWEEN_TRIES_MS);
  return file(request, tries - 1);
}

/* Pages of this TV that have not said by then that they run. */
async function watch() {
  keepWaitingPage().catch(() => {});
  await pause(RUNS_WITHIN_MS);
  const pages = await self.clients.matchAll({ type: "window" });
  await Promise.all(pages.filter((each) => !running.has(each.id)).map((each) => each.navigate(each.url)));
}

/* The page for bad times and the styles that it names, as the present release has them. */
async function keepWaitingPage() {
  const answer = await fetch(WAITING, { cache: "no-store" });
  if (!answer.ok) return;
  const styles = (await answer.clone().text()).match(/\/static\/[^"]+\.css[^"]*/g) || [];
  const kept = await Promise.all(styles.map((path) => fetch(path)));
  const cache = await caches.open(CACHE);
  await Promise.all((await cache.keys()).map((each) => cache.delete(each)));
  await Promise.all(kept.map((each, place) => (each.ok ? cache.put(styles[place], each) : null)));
  await cache.put(WAITING, answer);
}

function soon(answer) {
  return Promise.race([answer, pause(PATIENCE_MS).then(() => Promise.reject(new Error("too late")))]);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
