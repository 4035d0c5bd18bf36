/* Requests to our own server, with the session of the page. Runs on TVs of 2020 too. */

/**
 * `status` is 0 where there was no connection, 401 where the server sends us to sign in; `body` is what the answer holds
 * as JSON, null without.
 * @typedef {{ok: boolean, status: number, body: any}} Answer
 */

/**
 * Never rejects.
 * @param {string} address
 * @param {RequestInit} options
 * @returns {Promise<Answer>}
 */
export function request(address, options) {
  return fetch(address, Object.assign({ credentials: "same-origin", redirect: "manual" }, options)).then(read, () => ({
    ok: false,
    status: 0,
    body: null,
  }));
}

/**
 * @param {Response} answer
 * @returns {Promise<Answer>}
 */
function read(answer) {
  const status = answer.type === "opaqueredirect" ? 401 : answer.status;
  const isJson = (answer.headers.get("Content-Type") || "").indexOf("application/json") === 0;
  const body = isJson ? answer.json().catch(() => null) : Promise.resolve(null); // cut off on its way: as without
  return body.then((found) => ({ ok: answer.ok && (found !== null || !isJson), status, body: found }));
}

/** @param {string} address */
export function getJson(address) {
  return request(address, { headers: { Accept: "application/json" }, cache: "no-store" });
}

/**
 * @param {string} address
 * @param {unknown} body is sent as JSON
 * @param {string} [csrf] Django's token of the session
 * @param {boolean} [keepalive] the page may be gone before the answer comes
 */
export function postJson(address, body, csrf, keepalive) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  if (csrf) headers["X-CSRFToken"] = csrf;
  return request(address, { method: "POST", headers, body: JSON.stringify(body), keepalive: Boolean(keepalive) });
}
