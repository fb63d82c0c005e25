/**
 * Returns a text that PostgreSQL can hold: U+0000, which it refuses, and each half of a surrogate pair that stands alone,
 * which UTF-8 has no bytes for, become U+FFFD. Anybody can send a transaction with such a text.
 */
export const storableText = (text: string): string =>
  text.replace(/\p{Cs}/gu, '\uFFFD').replaceAll('\0', '\uFFFD')
