import { assertArgument, bytesToHex, type Ecdsa, isPrivateKey } from '@hailstone/protocol'
import { type RandomBytes, refusedRandomness, unpredictableBytes } from './unpredictable-bytes.ts'
import type { Wallet } from './wallet.ts'
import { walletOfKey } from './wallet-of-key.ts'

/** Parameters of {@link createWallet}. */
export type CreateWalletParameters = {
  /** Unpredictable bytes. @default the system's, through `crypto.getRandomValues` */
  readonly randomBytes?: RandomBytes | undefined
  /** Curve arithmetic, for example an accelerated one. @default plain JavaScript */
  readonly ecdsa?: Ecdsa | undefined
}

/**
 * Makes a new account. A key or a phrase is refused in any form: `walletFromPrivateKey` opens the account of the one,
 * `walletFromMnemonic` of the other. So is randomness that is plainly broken: bytes all equal, or two draws alike.
 *
 * @throws {NodeError} `RANDOMNESS_REFUSED`, `ARGUMENT_INVALID`
 * @example
 * const wallet = createWallet()
 * wallet.address // '02…', 66 hex digits
 */
export function createWallet(parameters?: CreateWalletParameters): Wallet {
  assertIsNoKey(parameters)
  const KEY_BYTES = 32
  /** A draw outside the curve has a chance of 2^-128; more than a few are a broken source. */
  const MAX_DRAWS = 4
  const draw = (): string => bytesToHex(unpredictableBytes(KEY_BYTES, parameters?.randomBytes))
  const draws = [draw()]
  for (let count = 0; count < MAX_DRAWS; count++) {
    draws.push(draw())
    if (new Set(draws).size < draws.length) throw refusedRandomness('two draws of randomness are the same')
    const privateKey = draws.at(-1)
    if (isPrivateKey(privateKey)) return walletOfKey(privateKey, parameters?.ecdsa)
  }
  throw refusedRandomness('the randomness only gives values outside the curve')
}

/** Under whatever name a key came, it would be ignored: the wallet would be another one. Nothing of it is repeated. */
function assertIsNoKey(given: unknown): void {
  const above: unknown = Object.getPrototypeOf(Object(given))
  const isPlain = given !== null && (!above || given === undefined || !Object.getPrototypeOf(above))
  const isKnown = (name: string | symbol): boolean => name === 'randomBytes' || name === 'ecdsa'
  const expected =
    '{ randomBytes, ecdsa } or nothing: walletFromPrivateKey takes a key, walletFromMnemonic the words'
  assertArgument(isPlain && Reflect.ownKeys(Object(given)).every(isKnown), 'of createWallet', expected, {})
}
