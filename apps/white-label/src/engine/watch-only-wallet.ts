import type { Wallet } from '@hailstone/client'
import { type Address, encodeReferralCode } from '@hailstone/protocol'

const refuse = (): never => {
  throw new Error('The app is locked: nothing can be signed.')
}

/** Creates a wallet that has an address and refuses to sign. Used while the app is locked. */
export const watchOnlyWallet = (address: Address): Wallet =>
  Object.freeze({
    address,
    referralCode: encodeReferralCode(address),
    signTransaction: refuse,
    signHail: refuse,
    signPublication: refuse,
    deriveNonce: refuse,
    exportPrivateKey: refuse,
  })
