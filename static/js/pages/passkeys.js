// Forms that a passkey fills in: asks the server for a challenge and the browser for a key that answers it, and sends the
// form with the answer. A page without such a form, and a browser without passkeys, stays as it is.

import { request } from "../lib/requests.js";
import { setText } from "../lib/dom.js";

/** @param {string} text base64url, as the server writes bytes */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null} buffer */
function base64url(buffer) {
  if (!buffer) return undefined;
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The options as the browser takes them. */
function decoded(options) {
  const found = { ...options, challenge: bytes(options.challenge) };
  if (options.user) found.user = { ...options.user, id: bytes(options.user.id) };
  if (options.excludeCredentials) found.excludeCredentials = options.excludeCredentials.map((key) => ({ ...key, id: bytes(key.id) }));
  return found;
}

/** What the key answered, as the server reads it. */
function encoded(credential) {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = credential.response;
  return JSON.stringify({
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    response: {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: base64url(userHandle),
    },
  });
}

async function use(form, status) {
  const fields = new FormData(form);
  const body = new URLSearchParams();
  for (const name of ["csrfmiddlewaretoken", "username"]) {
    if (fields.has(name)) body.set(name, String(fields.get(name)));
  }
  setText(status, status.dataset.wait);
  const answer = await request(form.dataset.options, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!answer.ok) {
    setText(status, answer.body?.message || status.dataset.failed);
    return;
  }
  const publicKey = decoded(answer.body);
  const isNew = form.dataset.passkey === "create";
  const credential = await (isNew ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }));
  form.elements.credential.value = encoded(credential);
  form.submit(); // past the check of fields that a passkey makes needless
}

function offer(form) {
  const part = form.querySelector(".passkey-ask");
  if (!part) return;
  const button = part.querySelector("button");
  const status = part.querySelector("p");
  part.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await use(form, status).catch(() => setText(status, status.dataset.failed)); // refused, or nobody answered
    button.disabled = false;
  });
}

if (window.PublicKeyCredential && navigator.credentials) {
  /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-passkey]")).forEach(offer);
}
