// Extensions as they are stored, in whatever digits they are typed; the server has the same (accounts/languages/digits.py).

/**
 * The text with Arabic-Indic, Persian and full-width digits as 0 to 9.
 * @param {string} text
 */
export function asciiDigits(text) {
  // Each of these rows of ten begins at a multiple of 16.
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) % 16));
}
