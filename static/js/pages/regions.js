// Names countries in the language of the page, as far as the browser knows it: the server has few names in some languages.

const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("id_country"));

function nameCountries() {
  const { lang } = document.documentElement;
  const names = new Intl.DisplayNames([lang], { type: "region", fallback: "none" });
  const { compare } = new Intl.Collator(lang);
  const countries = [...select.options].filter((option) => option.value);
  const chosen = select.value;
  for (const country of countries) {
    country.textContent = names.of(country.value) ?? country.textContent;
  }
  select.append(...countries.sort((one, other) => compare(one.text, other.text)));
  select.value = chosen;
}

if (select && "DisplayNames" in Intl) {
  nameCountries();
}
