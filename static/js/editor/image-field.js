// Choosing a picture for a card: those the company has, one more by upload, and away with those that no board shows.

import { fill } from "../lib/format.js";
import { element } from "./fields.js";

/** server: {upload(file), removePicture(id)}, each resolving to {pictures, picture?, error?}. */
export function pictureField(settings, server, change) {
  const texts = settings.editor;
  let chosen = null;
  const list = element("ul", { class: "pictures" });
  const message = element("p", { class: "hint", role: "status", text: texts.upload_hint });
  const file = element("input", { type: "file", accept: "image/png,image/jpeg,image/webp", class: "only-heard", onchange: upload });
  const pick = element("label", { class: "button-quiet picture-upload" }, file, texts.upload);
  const node = element("fieldset", { class: "field" }, element("legend", { text: texts.options.image }), list, pick, message);

  async function upload() {
    if (!file.files.length) return;
    say(texts.uploading);
    const answer = await server.upload(file.files[0]);
    file.value = "";
    if (!answer.ok) {
      say(answer.error || texts.upload_failed, true);
      return;
    }
    settings.pictures = [...settings.pictures.filter((each) => each.id !== answer.image.id), answer.image];
    say(texts.upload_hint);
    choose(answer.image.id);
  }

  async function remove(picture) {
    const answer = await server.removePicture(picture.id);
    if (!answer.ok) {
      say(answer.error || texts.upload_failed, true);
      return;
    }
    settings.pictures = answer.images;
    say(texts.upload_hint);
    show(chosen);
  }

  function say(text, isBad = false) {
    message.textContent = text;
    message.classList.toggle("errorlist", isBad);
  }

  function choose(id) {
    show(id);
    change(id);
  }

  function show(id) {
    chosen = id;
    const rows = settings.pictures.map(row);
    list.replaceChildren(...(rows.length ? rows : [element("li", { class: "soft", text: texts.no_image })]));
  }

  function row(picture) {
    const image = element("img", { src: settings.images + picture.path, alt: "", width: 64, height: 40, loading: "lazy" });
    const pickIt = element(
      "button",
      { type: "button", class: "picture", "aria-pressed": String(picture.id === chosen), onclick: () => choose(picture.id) },
      image,
      picture.name,
    );
    const label = fill(texts.delete_image, { name: picture.name });
    const away = element("button", { type: "button", class: "some-move", "aria-label": label, text: "×", onclick: () => remove(picture) });
    return element("li", {}, pickIt, ...(picture.id === chosen ? [] : [away]));
  }

  return { node, show };
}
