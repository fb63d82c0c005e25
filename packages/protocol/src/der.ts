import { hexToBytes } from './bytes.ts'
import { textError } from './errors/text-error.ts'

/**
 * Decodes hex as the network does: pairs up to the first that is not hex; an odd last digit is dropped (PROTOCOL
 * 2.3).
 */
export function lenientHexToBytes(hex: string): Uint8Array {
  const pairs = /^(?:[0-9a-fA-F]{2})*/.exec(hex)?.[0] ?? ''
  return hexToBytes(pairs)
}

const NUMBER_BYTES = 32

/** Encodes r‖s (64 bytes) as minimal DER (X.690: SEQUENCE of two INTEGERs). */
export function compactToDer(compact: Uint8Array): Uint8Array {
  const der = new Uint8Array(72)
  let end = 2
  for (let from = 0; from < 2 * NUMBER_BYTES; from += NUMBER_BYTES) {
    const last = from + NUMBER_BYTES - 1
    let first = from
    while (first < last && compact[first] === 0) first++
    const number = compact.subarray(first, last + 1)
    // A leading zero byte keeps the number positive if its top bit is set.
    const start = end + 2 + ((number[0] ?? 0) >> 7)
    der[end] = 0x02
    der[end + 1] = start - end - 2 + number.length
    der.set(number, start)
    end = start + number.length
  }
  der[0] = 0x30
  der[1] = end - 2
  return der.slice(0, end)
}

/**
 * Decodes minimal DER to r‖s (64 bytes). Two numbers have exactly one minimal encoding; like the network, this
 * refuses every other one: padding, long lengths, trailing bytes. For those it returns null.
 */
export function compactOfMinimal(der: Uint8Array): Uint8Array | null {
  const compact = new Uint8Array(2 * NUMBER_BYTES)
  const split = 4 + (der[3] ?? 0)
  const r = der.subarray(4, split).subarray(-NUMBER_BYTES)
  const s = der.subarray(split + 2).subarray(-NUMBER_BYTES)
  compact.set(r, NUMBER_BYTES - r.length)
  compact.set(s, 2 * NUMBER_BYTES - s.length)
  const minimal = compactToDer(compact)
  const isMinimal = minimal.length === der.length && minimal.every((byte, at) => byte === der[at])
  return isMinimal ? compact : null
}

/**
 * Decodes minimal DER to r‖s (64 bytes), like {@link compactOfMinimal}.
 *
 * @throws {NodeError} `SIGNATURE_MALFORMED` for every other encoding
 */
export function derToCompact(der: Uint8Array): Uint8Array {
  const compact = compactOfMinimal(der)
  if (compact !== null) return compact
  throw textError('SIGNATURE_MALFORMED', { reason: 'its two numbers are not written in that form' })
}
