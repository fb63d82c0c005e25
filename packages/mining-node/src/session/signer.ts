import type { Signer, Wallet } from '@hailstone/client'

/** Signs the two typed messages of a session. A session never signs anything else. */
export type SessionSigner = Pick<Wallet, 'address' | 'signHail' | 'signPublication'>

/** The members of a signer that mining uses; a wallet is one. Answers may come later. */
export type MiningSigner = Pick<Signer, 'address' | 'signHail' | 'signPublication'>
