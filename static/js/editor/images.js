// Pictures on the server: which there are, one more, one less.

import { getJson, request } from "../lib/requests.js";

export class Images {
  /** csrf() gives the token of the session as it is now. */
  constructor({ urls, pictures }, csrf) {
    this.url = urls.images;
    this.held = pictures;
    this.csrf = csrf;
  }

  /** Resolves to all there are; to those that were known where the server does not say. */
  async list() {
    const { body } = await getJson(this.url);
    this.held = (body && body.images) || this.held;
    return this.held;
  }

  /** Resolves to {ok, image} or {ok: false, error}. */
  upload(file) {
    const body = new FormData();
    body.append("file", file);
    return this.post(this.url, body);
  }

  /** Resolves to {ok, images} or {ok: false, error}. */
  removePicture(id) {
    return this.post(`${this.url}${id}/remove/`, null);
  }

  async post(url, form) {
    const { ok, body } = await request(url, { method: "POST", body: form, headers: { "X-CSRFToken": this.csrf() } });
    return { ...body, ok };
  }
}
