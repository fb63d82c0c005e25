/** Returns the value of a decimal digit of any script: each script has its ten in a row, from zero on. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return (code - first) % 10
}

/**
 * Returns a text with the digits of every script as 0 to 9, full-width signs as the plain ones, and the Arabic decimal
 * sign as a point. Numbers that are no decimal digits, such as ½, ² and ①, stay and make no amount.
 */
export const inWesternDigits = (text: string): string =>
  (/\p{No}/u.test(text) ? text : text.normalize('NFKC'))
    .replace(/\p{Nd}/gu, (digit) => `${digitOf(digit)}`)
    .replace('٫', '.')
