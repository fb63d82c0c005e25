const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns one line of text that is safe for a terminal: characters that move the cursor, change the writing direction
 * or are invisible (control characters with their escape sequences, bidirectional marks, zero-width characters, line
 * breaks) become
 * `�`. Apply it to everything from a network before it reaches a terminal.
 */
export const plainText = (text: string): string => text.replace(UNSHOWN, '\uFFFD')

/** Returns JSON text with such characters escaped, so that its meaning is unchanged. */
export const plainJson = (json: string): string =>
  json.replace(UNSHOWN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
