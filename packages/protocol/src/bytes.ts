const hexOfByte: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** Returns bytes as lower-case hex digits. */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOfByte[byte]
  return hex
}

/**
 * Parses pairs of hex digits.
 *
 * @throws {RangeError} unless the text is pairs of hex digits of either case; the message does not repeat the text
 */
export function hexToBytes(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new RangeError('the text is not pairs of hex digits')
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = 16 * digitAt(hex, 2 * at) + digitAt(hex, 2 * at + 1)
  return bytes
}

/**
 * The low four bits of a digit are its value, of a letter of either case 1 to 6. No number parser, because keys pass
 * through here.
 */
function digitAt(hex: string, at: number): number {
  const code = hex.charCodeAt(at)
  return (code & 15) + 9 * (code >> 6)
}

/** Present on every platform, but in no library of the language itself. */
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }

export const utf8ToBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
