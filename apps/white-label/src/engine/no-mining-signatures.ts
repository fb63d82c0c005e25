import type { Wallet } from '@hailstone/client'

/** Takes the place of what a wallet signs to mine, in an app that must not. */
export const miningSignatures = (): Pick<Wallet, 'signHail' | 'signPublication'> => {
  const refuse = (): never => {
    throw new Error('This app does not mine.')
  }
  return { signHail: refuse, signPublication: refuse }
}
