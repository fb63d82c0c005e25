import { hexToBytes } from './bytes.ts'
import { NodeError } from './errors/node-error.ts'

/**
 * Hex as the network decodes it: pairs are read up to the first that is not hex, an odd last digit is
 * dropped (PROTOCOL 2.3).
 */
export function lenientHexToBytes(hex: string): Uint8Array {
  const pairs = /^(?:[0-9a-fA-F]{2})*/.exec(hex)?.[0] ?? ''
  return hexToBytes(pairs)
}

const refused = (reason: string): NodeError => new NodeError('SIGNATURE_MALFORMED', { reason })

/** Where a 32-byte number begins without its leading zero bytes. Its last byte stays, even when it is zero. */
function firstByteOf(compact: Uint8Array, from: number): number {
  let first = from
  while (first < from + 31 && compact[first] === 0) first++
  return first
}

/** Writes one INTEGER: a zero byte comes first where the top bit would make it negative. Returns the end. */
function integerOut(der: Uint8Array, at: number, number: Uint8Array): number {
  const start = at + 2 + ((number[0] ?? 0) >> 7)
  der[at] = 0x02
  der[at + 1] = start - at - 2 + number.length
  der.set(number, start)
  return start + number.length
}

/** Encodes r‖s (64 bytes) as minimal DER (X.690: SEQUENCE of two INTEGERs). */
export function compactToDer(compact: Uint8Array): Uint8Array {
  const der = new Uint8Array(72)
  const r = compact.subarray(firstByteOf(compact, 0), 32)
  const s = compact.subarray(firstByteOf(compact, 32), 64)
  const end = integerOut(der, integerOut(der, 2, r), s)
  der[0] = 0x30
  der[1] = end - 2
  return der.slice(0, end)
}

function integerIn(der: Uint8Array, at: number, into: Uint8Array, to: number): number {
  if (der[at] !== 0x02) throw refused('an integer tag is missing')
  const length = der[at + 1] ?? 0
  const first = at + 2
  if (length === 0 || length > 33 || first + length > der.length)
    throw refused('an integer has a wrong length')
  const head = der[first] ?? 0
  if ((head & 0x80) !== 0) throw refused('an integer is negative')
  if (length > 1 && head === 0 && ((der[first + 1] ?? 0) & 0x80) === 0) throw refused('an integer is padded')
  const bytes = head === 0 ? der.subarray(first + 1, first + length) : der.subarray(first, first + length)
  if (bytes.length > 32) throw refused('an integer is too large')
  into.set(bytes, to + 32 - bytes.length)
  return first + length
}

/**
 * Decodes minimal DER to r‖s (64 bytes). Padding, long lengths and trailing bytes are refused, as the
 * network refuses them.
 *
 * @throws {NodeError} `SIGNATURE_MALFORMED`
 */
export function derToCompact(der: Uint8Array): Uint8Array {
  if (der[0] !== 0x30) throw refused('the sequence tag is missing')
  if (der[1] !== der.length - 2) throw refused('the length does not match')
  const compact = new Uint8Array(64)
  const end = integerIn(der, integerIn(der, 2, compact, 0), compact, 32)
  if (end !== der.length) throw refused('bytes follow the two integers')
  return compact
}
