// The panel in which a person says when they want a card.

import { setText } from "../lib/dom.js";

/** onSaved({hide_after_seconds, opens}) is told what counts from now on. */
export function listenToRules(form, { server, texts, onSaved }) {
  const message = document.getElementById("rules-message");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const rules = rulesOf(new FormData(form));
    setText(message, texts.keeping);
    try {
      const { problem } = await server.post("save_rules", rules);
      setText(message, problem || texts.rules_kept);
      message.classList.toggle("desk-note-worry", problem !== "");
      if (!problem) {
        onSaved(rules);
      }
    } catch {
      setText(message, texts.save_failed);
      message.classList.add("desk-note-worry");
    }
  });
}

function rulesOf(data) {
  return {
    pop: data.get("pop"),
    shows_internal: data.has("shows_internal"),
    hide_after_seconds: Number(data.get("hide_after_seconds")),
    opens: Number(data.get("opens")) || null,
    ignored: data.get("ignored"),
  };
}
