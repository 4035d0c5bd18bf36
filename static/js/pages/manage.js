/* The list of what is managed is longer than the window of a laptop: it begins at the page that is shown. */
const list = document.querySelector(".manage");
const here = list.querySelector("[aria-current]");

if (here) {
  const below = here.getBoundingClientRect().top - list.getBoundingClientRect().top;
  list.scrollTop = below - list.clientHeight / 2;
}
