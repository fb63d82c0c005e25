const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns one line of text that a terminal shows as it is: each character that moves the cursor, turns the direction of
 * writing or is invisible (control characters with their escape sequences, bidirectional marks, zero-width characters,
 * line breaks) becomes `�`. Everything that comes from a network passes it before it reaches a terminal.
 */
export const plainText = (text: string): string => text.replace(UNSHOWN, '\uFFFD')

/** Returns JSON text in which such characters are escaped, so that it means the same and can be shown. */
export const plainJson = (json: string): string =>
  json.replace(UNSHOWN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
