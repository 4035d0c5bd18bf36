// What the desk asks of the server besides the socket: small JSON posts that carry the person's session.

export class Refused extends Error {
  constructor(status) {
    super(`The server answered ${status}`);
    this.status = status;
  }
}

export class Server {
  #addresses;
  #csrf;

  constructor({ addresses, csrf }) {
    this.#addresses = addresses;
    this.#csrf = csrf;
  }

  /** The answer as an object, null where it has no body. Throws Refused, or TypeError while there is no connection. */
  async post(name, body, { keepalive = false } = {}) {
    return this.#fetch(name, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.#csrf },
      keepalive,
    });
  }

  async get(name, query = {}) {
    return this.#fetch(name, {}, `?${new URLSearchParams(query)}`);
  }

  async #fetch(name, options, query = "") {
    const answer = await fetch(this.#addresses[name] + query, { ...options, redirect: "manual", credentials: "same-origin" });
    if (!answer.ok) {
      throw new Refused(answer.type === "opaqueredirect" ? 401 : answer.status);
    }
    return answer.status === 204 ? null : answer.json();
  }
}
