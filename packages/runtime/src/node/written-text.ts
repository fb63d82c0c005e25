const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/**
 * Reads a text that a person wrote, with whatever program: in UTF-8, or in UTF-16 with a byte order mark. The mark is
 * dropped, and every line ends in `\n`.
 *
 * @throws {TypeError} for bytes that are no text, if `fatal` is true
 */
export const writtenText = (bytes: Uint8Array, options: { readonly fatal?: boolean } = {}): string =>
  new TextDecoder(encodingOf(bytes), options).decode(bytes).replace(/\r\n?/g, '\n')

/** Lines of a written text that say something, without the space around them. */
export const writtenLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Names a character of a text that nobody sees, such as `U+200B`; null if it has none. Joiners belong to scripts and
 * pictures, and are none.
 */
export function hiddenIn(text: string): string | null {
  // One by one: engines remember the last text that was searched, and this one may be a key.
  const found = [...text].find((character) => /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u.test(character))
  return found === undefined ? null : `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
