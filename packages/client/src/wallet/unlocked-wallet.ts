import type { NodeError } from '@hailstone/protocol'
import type { KeyDerivation } from './key-derivation.ts'
import type { Wallet } from './wallet.ts'
import type { OpenWalletOptions } from './wallet-from-private-key.ts'

export type SaveWalletParameters = {
  readonly wallet: Wallet
  /** At least 8 characters. */
  readonly password: string
  /** @default scrypt on Node, PBKDF2-SHA-256 in browsers */
  readonly derivation?: KeyDerivation | undefined
}

export type UnlockWalletParameters = OpenWalletOptions & { readonly password: string }

export type ChangePasswordParameters = {
  readonly password: string
  /** At least 8 characters. */
  readonly newPassword: string
  readonly derivation?: KeyDerivation | undefined
}

/** A wallet that was opened, and what had to be done about the place it is kept in. */
export type UnlockedWallet = {
  readonly wallet: Wallet
  /** The newest file was damaged or gone, and its second copy was used. */
  readonly isFromCopy: boolean
  /** It was written again, because it was damaged or made by an older program. */
  readonly isRewritten: boolean
  /** Error of that write. The wallet works; show the error to its owner. */
  readonly writeFault: NodeError | undefined
}
