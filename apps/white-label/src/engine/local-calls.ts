import type { Client } from '@hailstone/client'
import type { AccountStore } from './account-store.ts'

/** Questions to the network that a page may ask; each is answered by the worker of its own tab. */
export const clientCallNames = [
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

export type ClientCallName = (typeof clientCallNames)[number]

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
] as const satisfies readonly (keyof AccountStore)[]

export type AccountCallName = (typeof accountCallNames)[number]

/** Calls after which the account is not what it was. */
export const accountChangingCalls: ReadonlySet<string> = new Set<AccountCallName>([
  'seal',
  'storeUnprotected',
  'answerQuiz',
  'setStep',
  'importFile',
  'unlock',
  'forget',
])

/** Calls that a tab answers while it is locked, in an app that locks always. */
export const allowedWhileLocked: ReadonlySet<string> = new Set<AccountCallName>([
  'unlock',
  'lock',
  'cover',
  'coverWords',
  'forget',
])

export const isClientCall = (name: string): name is ClientCallName =>
  (clientCallNames as readonly string[]).includes(name)
export const isAccountCall = (name: string): name is AccountCallName =>
  (accountCallNames as readonly string[]).includes(name)
