import { bytesToHex, type Ecdsa, NodeError, type PrivateKey, parsePrivateKey } from '@hailstone/protocol'
import { type RandomBytes, refusedRandomness, unpredictableBytes } from './unpredictable-bytes.ts'
import type { Wallet } from './wallet.ts'
import { walletOfKey } from './wallet-of-key.ts'

export type CreateWalletParameters = {
  /** Unpredictable bytes. @default the system's, through `crypto.getRandomValues` */
  readonly randomBytes?: RandomBytes | undefined
  /** Curve arithmetic, for example an accelerated one. @default plain JavaScript */
  readonly ecdsa?: Ecdsa | undefined
}

/**
 * Makes a new account. Randomness that is plainly broken is refused: bytes all equal, or two draws alike.
 *
 * @throws {NodeError} `RANDOMNESS_REFUSED`
 */
export function createWallet(parameters?: CreateWalletParameters): Wallet {
  const KEY_BYTES = 32
  /** A draw outside the curve has a chance of 2^-128; more than a few are a broken source. */
  const MAX_DRAWS = 4
  const draw = (): string => bytesToHex(unpredictableBytes(KEY_BYTES, parameters?.randomBytes))
  const draws = [draw()]
  for (let count = 0; count < MAX_DRAWS; count++) {
    draws.push(draw())
    if (new Set(draws).size < draws.length) throw refusedRandomness('two draws of randomness are the same')
    const privateKey = keyOrNull(draws.at(-1) ?? '')
    if (privateKey !== null) return walletOfKey(privateKey, parameters?.ecdsa)
  }
  throw refusedRandomness('the randomness only gives values outside the curve')
}

function keyOrNull(digits: string): PrivateKey | null {
  try {
    return parsePrivateKey(digits)
  } catch (error) {
    if (error instanceof NodeError && error.code === 'PRIVATE_KEY_MALFORMED') return null
    throw error
  }
}
