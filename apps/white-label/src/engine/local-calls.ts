import type { Client } from '@hailstone/client'
import type { AccountKeeper } from './account-keeper.ts'

/** Questions to the network that a page may ask; each is answered by the worker of its own tab. */
export const askable = [
  'getToken',
  'getNativeToken',
  'getNativeTokenId',
  'getBalance',
  'getRewards',
  'getMicroblock',
  'getTransactions',
  'getTransaction',
  'getPendingTransaction',
  'getStats',
  'getNetworkInfo',
  'getExpectedReturn',
  'getReferrerStake',
  'getHeight',
  'requestTestCoins',
] as const satisfies readonly (keyof Client)[]

export type AskableName = (typeof askable)[number]

/** What concerns secrets stays between a page and the worker of its own tab. */
export const accountCallNames = [
  'prepare',
  'seal',
  'storeUnprotected',
  'words',
  'coverWords',
  'answerQuiz',
  'setStep',
  'inspect',
  'importFile',
  'unlock',
  'verify',
  'consent',
  'lock',
  'cover',
  'exportKey',
  'exportFile',
  'forget',
] as const satisfies readonly (keyof AccountKeeper)[]

export type AccountCallName = (typeof accountCallNames)[number]

/** Calls after which the account is not what it was. */
export const changing: ReadonlySet<string> = new Set<AccountCallName>([
  'seal',
  'storeUnprotected',
  'answerQuiz',
  'setStep',
  'importFile',
  'unlock',
  'forget',
])

/** Calls that a tab answers while it is locked, in an app that locks always. */
export const answeredWhileShut: ReadonlySet<string> = new Set<AccountCallName>([
  'unlock',
  'lock',
  'cover',
  'coverWords',
  'forget',
])

export const isAskable = (name: string): name is AskableName => (askable as readonly string[]).includes(name)
export const isAccountCall = (name: string): name is AccountCallName =>
  (accountCallNames as readonly string[]).includes(name)
