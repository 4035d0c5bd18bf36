// Sends pictures to the server and deletes them there.

export class Pictures {
  constructor({ addresses, csrf }) {
    this.address = addresses.images;
    this.csrf = csrf;
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

  async post(address, body) {
    try {
      const answer = await fetch(address, { method: "POST", body, headers: { "X-CSRFToken": this.csrf }, credentials: "same-origin" });
      return { ...(await answer.json()), ok: answer.ok };
    } catch {
      return { ok: false };
    }
  }
}
