// Texts that count, in the forms of the page's language; the server sends them (accounts/languages/plurals.py).

import { fill } from "./format.js";

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/**
 * The text in the form that belongs to a number, with the number as {n}.
 * @param {Record<string, string>} forms by the names of CLDR; "other" is always there
 * @param {number} n
 * @param {Record<string, any>} [values] further {names}
 * @param {string} [language] the page's own by default
 */
export function counted(forms, n, values, language = document.documentElement.lang || "en") {
  const known = rules.get(language) || new Intl.PluralRules(language);
  rules.set(language, known);
  return fill(forms[known.select(n)] || forms.other, { n, ...values });
}
