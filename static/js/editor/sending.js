// Pictures on the server: which there are, one more, one less.

export class Pictures {
  /** csrf() gives the token of the session as it is now. */
  constructor({ addresses, pictures }, csrf) {
    this.address = addresses.images;
    this.held = pictures;
    this.csrf = csrf;
  }

  /** Resolves to all there are; to those that were known where the server does not say. */
  async list() {
    const answer = await this.send(this.address, {});
    this.held = answer.images || this.held;
    return this.held;
  }

  /** Resolves to {ok, image} or {ok: false, error}. */
  upload(file) {
    const body = new FormData();
    body.append("file", file);
    return this.post(this.address, body);
  }

  /** Resolves to {ok, images} or {ok: false, error}. */
  removePicture(id) {
    return this.post(`${this.address}${id}/remove/`, null);
  }

  post(address, body) {
    return this.send(address, { method: "POST", body, headers: { "X-CSRFToken": this.csrf() } });
  }

  async send(address, options) {
    try {
      const answer = await fetch(address, { ...options, credentials: "same-origin" });
      return { ...(await answer.json()), ok: answer.ok };
    } catch {
      return { ok: false };
    }
  }
}
