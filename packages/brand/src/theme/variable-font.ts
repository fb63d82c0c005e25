/** Place of the count of tables in a WOFF2 file, and of the first table: both in bytes. */
const COUNT_AT = 12
const TABLES_AT = 48
/** Numbers of tables in WOFF2. The last one says that the name is written out. */
const GLYPHS = 10
const GLYPH_PLACES = 11
const AXES = 47
const WRITTEN_OUT = 63
/** Version of the glyphs as they are in other fonts. */
const PLAIN_GLYPHS = 3

/**
 * True if a WOFF2 font has axes, such as one of weight: one file has all weights then. False for what is not WOFF2 and for a
 * file that is cut off.
 */
export function isVariableFont(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < TABLES_AT) return false
  let at = TABLES_AT
  /** Skips a length: seven bits in each byte, and one that says whether another byte follows. */
  const skipLength = (): void => {
    while (((bytes[at++] ?? 0) & 0x80) !== 0);
  }
  for (let left = view.getUint16(COUNT_AT); left > 0 && at < bytes.length; left -= 1) {
    const flags = bytes[at++] ?? 0
    const [table, version] = [flags & 0x3f, flags >> 6]
    if (table === AXES) return true
    if (table === WRITTEN_OUT) at += 4
    skipLength()
    const isGlyphs = table === GLYPHS || table === GLYPH_PLACES
    if (isGlyphs ? version !== PLAIN_GLYPHS : version !== 0) skipLength()
  }
  return false
}
