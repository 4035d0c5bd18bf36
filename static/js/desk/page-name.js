// The name of this page towards the server. It survives a reload, and a duplicated tab gets another one.

const KEY = "desk.page";

/**
 * While the page is open the name is only in memory: a tab that is duplicated meanwhile copies an empty sessionStorage.
 * It is written down when the page goes away, for the one that a reload puts in its place.
 */
export function pageName() {
  const name = sessionStorage.getItem(KEY) ?? randomName();
  sessionStorage.removeItem(KEY);
  addEventListener("pagehide", () => sessionStorage.setItem(KEY, name));
  addEventListener("pageshow", () => sessionStorage.removeItem(KEY));
  return name;
}

function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
