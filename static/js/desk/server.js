// What the desk asks of the server besides the socket: small JSON requests to its own URLs.

import { getJson, postJson } from "../lib/requests.js";

/** The server answered with this status instead of doing it; 0 while there is no connection. */
export class Refused extends Error {
  constructor(status) {
    super(status ? `The server answered ${status}` : "There is no connection");
    this.status = status;
  }
}

export class Server {
  #urls;
  #csrf;

  constructor({ urls, csrf }) {
    this.#urls = urls;
    this.#csrf = csrf;
  }

  /** Whether there is such an address here. */
  has(name) {
    return Boolean(this.#urls[name]);
  }

  /** The answer as an object, null where it has no body. Throws Refused. */
  async post(name, body, { keepalive = false } = {}) {
    return bodyOf(await postJson(this.#urls[name], body, this.#csrf, keepalive));
  }

  async get(name, query = {}) {
    return bodyOf(await getJson(`${this.#urls[name]}?${new URLSearchParams(query)}`));
  }
}

function bodyOf({ ok, status, body }) {
  if (!ok) {
    throw new Refused(status);
  }
  return body;
}
