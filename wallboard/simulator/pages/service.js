// Fetches this page again every few seconds and puts the new part in place of the old one.
const seconds = Number(document.getElementById("now").dataset.refresh);

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("now");
  if (fresh) document.getElementById("now").replaceWith(document.adoptNode(fresh));
}

setInterval(() => refresh().catch(() => {}), seconds * 1000);
