const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/**
 * Reads a text that a person wrote, with whatever program: in UTF-8, or in UTF-16 with a byte order mark. The mark is
 * dropped, and every line ends in `\n`.
 */
export const writtenText = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes)).decode(bytes).replace(/\r\n?/g, '\n')

/** Lines of a written text that say something, without the space around them. */
export const writtenLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
