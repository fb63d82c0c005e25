import type { NodeError } from '@hailstone/protocol'
import type { KeyDerivation } from './key-derivation.ts'
import type { Wallet } from './wallet.ts'
import type { OpenWalletOptions } from './wallet-from-private-key.ts'

/** Key that is encrypted and stored, and the password for it. */
export type SaveWalletParameters = {
  /** Its private key is encrypted and stored. */
  readonly wallet: Wallet
  /** At least 8 characters. */
  readonly password: string
  /** @default scrypt on Node, PBKDF2-SHA-256 in browsers */
  readonly derivation?: KeyDerivation | undefined
}

/** Password of a stored key. */
export type UnlockWalletParameters = OpenWalletOptions & {
  /** The one that the key was stored with. */
  readonly password: string
}

/** Old and new password of a stored key. */
export type ChangePasswordParameters = {
  /** The one that the key was stored with. */
  readonly password: string
  /** At least 8 characters. */
  readonly newPassword: string
  /** Of the new encryption. @default scrypt on Node, PBKDF2-SHA-256 in browsers */
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
