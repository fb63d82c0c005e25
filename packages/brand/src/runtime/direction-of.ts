const rightToLeft = /^(?:Arab|Hebr|Thaa|Syrc|Nkoo|Adlm|Rohg)$/

/** Returns the writing direction of a language: `ltr` or `rtl`. @param tag BCP 47 tag @throws {RangeError} for no tag */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  rightToLeft.test(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'
