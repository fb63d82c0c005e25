import { type Ecdsa, parsePrivateKey } from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import type { Wallet } from './wallet.ts'
import { walletOfKey } from './wallet-of-key.ts'

/** Options of {@link walletFromPrivateKey}. */
export type OpenWalletOptions = {
  /** Curve arithmetic, for example an accelerated one. @default plain JavaScript */
  readonly ecdsa?: Ecdsa | undefined
}

/**
 * Opens the account of a private key: 64 hex digits, or 66 with two leading zeros. Nothing is padded or cut.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED`, which never repeats the text; `ARGUMENT_INVALID`
 */
export function walletFromPrivateKey(text: string, options?: OpenWalletOptions): Wallet {
  assertNames('of walletFromPrivateKey', options, ['ecdsa'])
  return walletOfKey(parsePrivateKey(text), options?.ecdsa)
}
