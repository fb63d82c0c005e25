import { NodeError } from './errors/node-error.ts'

const refused = (reason: string): NodeError => new NodeError('SIGNATURE_MALFORMED', { reason })

function integerOut(compact: Uint8Array, from: number): readonly number[] {
  let first = from
  const end = from + 32
  while (first < end - 1 && compact[first] === 0) first++
  const bytes = [...compact.subarray(first, end)]
  if (((bytes[0] ?? 0) & 0x80) !== 0) bytes.unshift(0)
  return [0x02, bytes.length, ...bytes]
}

/** Encodes r‖s (64 bytes) as minimal DER (X.690: SEQUENCE of two INTEGERs). */
export function compactToDer(compact: Uint8Array): Uint8Array {
  const body = [...integerOut(compact, 0), ...integerOut(compact, 32)]
  return Uint8Array.from([0x30, body.length, ...body])
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
