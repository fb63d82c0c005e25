import type { Wallet } from '@hailstone/client'

/** Replaces the mining signatures of a wallet in builds that must not mine. */
export const miningSignatures = (): Pick<Wallet, 'signHail' | 'signPublication'> => {
  const refuse = (): never => {
    throw new Error('This app does not mine.')
  }
  return { signHail: refuse, signPublication: refuse }
}
