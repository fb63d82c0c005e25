import { assertArgument, NodeError } from '@hailstone/protocol'

/** Gives so many bytes that nobody can foresee. */
export type RandomBytes = (length: number) => Uint8Array

const systemRandomBytes: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length))

export const refusedRandomness = (reason: string): NodeError =>
  new NodeError('RANDOMNESS_REFUSED', { reason })

/**
 * Draws bytes and refuses a draw that is plainly broken: of another length, or all bytes the same. A real source
 * does that once in 2^120 draws of 16 bytes.
 *
 * @throws {NodeError} `RANDOMNESS_REFUSED`, `ARGUMENT_INVALID`
 */
export function unpredictableBytes(length: number, randomBytes: RandomBytes = systemRandomBytes): Uint8Array {
  assertArgument(typeof randomBytes === 'function', 'randomBytes', 'a function', randomBytes)
  const bytes = randomBytes(length)
  if (!(bytes instanceof Uint8Array) || bytes.length !== length) {
    throw refusedRandomness(`a draw is not ${length} bytes`)
  }
  if (bytes.every((byte) => byte === bytes[0])) throw refusedRandomness('all bytes of a draw are the same')
  return bytes
}
