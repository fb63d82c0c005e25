const hexOfByte: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

const DIGITS = '0123456789abcdef'

export function bytesToHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOfByte[byte]
  return hex
}

/** @throws {RangeError} unless the text is pairs of hex digits of either case; it is not repeated */
export function hexToBytes(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new RangeError('the text is not pairs of hex digits')
  const bytes = new Uint8Array(hex.length / 2)
  const digits = hex.toLowerCase()
  const digitAt = (at: number): number => DIGITS.indexOf(digits.charAt(at))
  for (let at = 0; at < bytes.length; at++) bytes[at] = 16 * digitAt(2 * at) + digitAt(2 * at + 1)
  return bytes
}

/** Part of every platform there is, and of no library of the language itself. */
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }

export const utf8ToBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
