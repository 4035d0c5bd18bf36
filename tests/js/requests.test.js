// Requests never reject: what became of them stands in their answer.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { getJson, postJson } from "../../static/js/lib/requests.js";

const realFetch = globalThis.fetch;
const JSON_TYPE = { "Content-Type": "application/json" };

function answerWith(make) {
  const asked = [];
  globalThis.fetch = async (address, options) => {
    asked.push([address, options]);
    return make();
  };
  return asked;
}

afterEach(() => {
  globalThis.fetch = realFetch;
});

test("an answer brings its status and its JSON", async () => {
  answerWith(() => new Response('{"state": "paired"}', { headers: JSON_TYPE }));

  assert.deepEqual(await getJson("/pair/state/"), { ok: true, status: 200, body: { state: "paired" } });
});

test("a refusal brings its JSON, too", async () => {
  answerWith(() => new Response('{"error": "old"}', { status: 409, headers: JSON_TYPE }));

  assert.deepEqual(await getJson("/draft/"), { ok: false, status: 409, body: { error: "old" } });
});

test("no connection is status 0", async () => {
  answerWith(() => {
    throw new TypeError("Failed to fetch");
  });

  assert.deepEqual(await getJson("/"), { ok: false, status: 0, body: null });
});

test("a redirect to the sign-in is status 401", async () => {
  answerWith(() => ({ type: "opaqueredirect", status: 0, ok: false, headers: new Headers() }));

  assert.equal((await getJson("/")).status, 401);
});

test("an answer that is cut off is no success", async () => {
  answerWith(() => new Response('{"state": ', { headers: JSON_TYPE }));

  assert.deepEqual(await getJson("/"), { ok: false, status: 200, body: null });
});

test("an empty answer is a success without a body", async () => {
  answerWith(() => new Response(null, { status: 204 }));

  assert.deepEqual(await postJson("/", {}), { ok: true, status: 204, body: null });
});

test("a post carries its JSON and the token of the session", async () => {
  const asked = answerWith(() => new Response(null, { status: 204 }));

  await postJson("/desk/note/", { leg: 7 }, "token", true);

  const [[address, { method, headers, body, keepalive, credentials, redirect }]] = asked;
  assert.deepEqual([address, method, body, keepalive], ["/desk/note/", "POST", '{"leg":7}', true]);
  assert.deepEqual([headers["X-CSRFToken"], credentials, redirect], ["token", "same-origin", "manual"]);
});
