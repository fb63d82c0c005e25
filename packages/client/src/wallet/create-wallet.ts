import { isNodeError, NodeError, type PrivateKey, parsePrivateKey } from '@hailstone/protocol'
import type { Wallet } from './wallet.ts'
import { walletOfKey } from './wallet-of-key.ts'

export type CreateWalletParameters = {
  /** Unpredictable bytes. @default the system's, through `crypto.getRandomValues` */
  readonly randomBytes?: ((length: number) => Uint8Array) | undefined
}

const KEY_BYTES = 32
/** A draw outside the curve has a chance of 2^-128; more than a few are a broken source. */
const MOST_DRAWS = 4

const systemRandomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

/**
 * Makes a new account. Randomness that is plainly broken is refused: bytes all equal, or two draws alike.
 *
 * @throws {NodeError} `RANDOMNESS_REFUSED`
 */
export function createWallet(parameters: CreateWalletParameters = {}): Wallet {
  const { randomBytes = systemRandomBytes } = parameters
  const draws = [drawnDigits(randomBytes)]
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    draws.push(drawnDigits(randomBytes))
    if (new Set(draws).size < draws.length) throw refused('two draws of randomness are the same')
    const privateKey = keyOrNull(draws.at(-1) ?? '')
    if (privateKey !== null) return walletOfKey(privateKey)
  }
  throw refused('the randomness only gives values outside the curve')
}

const refused = (reason: string): NodeError => new NodeError('RANDOMNESS_REFUSED', { reason })

function drawnDigits(randomBytes: (length: number) => Uint8Array): string {
  const bytes = randomBytes(KEY_BYTES)
  if (!(bytes instanceof Uint8Array) || bytes.length !== KEY_BYTES) {
    throw refused(`a draw is not ${KEY_BYTES} bytes`)
  }
  if (bytes.every((byte) => byte === bytes[0])) throw refused('all bytes of a draw are the same')
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function keyOrNull(digits: string): PrivateKey | null {
  try {
    return parsePrivateKey(digits)
  } catch (error) {
    if (isNodeError(error, 'PRIVATE_KEY_MALFORMED')) return null
    throw error
  }
}
