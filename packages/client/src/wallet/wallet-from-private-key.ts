import { type Ecdsa, parsePrivateKey } from '@hailstone/protocol'
import type { Wallet } from './wallet.ts'
import { walletOfKey } from './wallet-of-key.ts'

export type OpenWalletOptions = {
  /** Curve arithmetic, for example an accelerated one. @default plain JavaScript */
  readonly ecdsa?: Ecdsa | undefined
}

/**
 * Opens the account of a private key: 64 hex digits, or 66 with two leading zeros. Nothing is padded or cut.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED`, which never repeats the text
 */
export const walletFromPrivateKey = (text: string, options?: OpenWalletOptions): Wallet =>
  walletOfKey(parsePrivateKey(text), options?.ecdsa)
