import type { Signer, Wallet } from '@hailstone/client'

/** Signs the two typed messages of a session. A session never signs anything else. */
export type SessionSigner = Pick<Wallet, 'address' | 'signHail' | 'signPublication'>

/** The members of a signer that mining uses; a wallet is one. Answers may come later. */
export type MiningSigner = Pick<Signer, 'address' | 'signHail' | 'signPublication'>

/**
 * True for a wallet of these packages, whose signatures are there at once. Such a wallet is frozen; a copy of one is
 * not, and functions of a copy may answer later.
 */
export const isWallet = (signer: object): boolean => 'exportPrivateKey' in signer && Object.isFrozen(signer)
