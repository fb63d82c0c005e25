import type { Client } from '@hailstone/client'
import type { AccountStore } from './account-store.ts'

/** Client actions that a page may call; the worker of the same tab answers them. */
const clientCallNames = [
  'getToken',
  'getTokenSlot',
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

/** Account calls. They carry secrets and never leave the worker of the same tab. */
const accountCallNames = [
  'accounts',
  'activate',
  'rename',
  'removeAccount',
  'prepare',
  'prepareFile',
  'dropPrepared',
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
  'signIn',
  'addPasskey',
  'removePasskey',
  'lock',
  'cover',
  'exportKey',
  'exportFile',
  'forget',
] as const satisfies readonly (keyof AccountStore)[]

export type AccountCallName = (typeof accountCallNames)[number]

/** Calls that change the account. */
export const accountChangingCalls: ReadonlySet<string> = new Set<AccountCallName>([
  'activate',
  'removeAccount',
  'seal',
  'storeUnprotected',
  'answerQuiz',
  'setStep',
  'importFile',
  'unlock',
  'addPasskey',
  'removePasskey',
  'forget',
])

/** Calls that store, remove or hand out an account: one after another, whichever tabs they come from. */
export const accountStoringCalls: ReadonlySet<string> = new Set<AccountCallName>([
  'activate',
  'removeAccount',
  'seal',
  'storeUnprotected',
  'importFile',
  'words',
  'exportKey',
  'exportFile',
  'forget',
])

/**
 * Calls that make, open or hand out a secret, and the place of the signal among their parameters: the worker adds it,
 * and it ends when the asker leaves or the app is locked.
 */
export const signalPlaces: Readonly<Partial<Record<string, number>>> = {
  activate: 2,
  removeAccount: 2,
  prepare: 1,
  prepareFile: 2,
  seal: 1,
  words: 1,
  importFile: 2,
  unlock: 1,
  verify: 1,
  consent: 2,
  signIn: 2,
  addPasskey: 2,
  exportKey: 1,
} satisfies Partial<Record<AccountCallName, number>>

/** Calls after which others, which are not answered yet, have nobody left who asks for their secret. */
export const endedBy: Readonly<Partial<Record<string, readonly string[]>>> = {
  lock: Object.keys(signalPlaces),
  cover: Object.keys(signalPlaces),
  coverWords: ['words'],
  dropPrepared: ['prepare', 'prepareFile'],
}

/** Calls that name the account they mean, or mean none: they are right whichever account is active. */
export const callsOfAnyAccount: ReadonlySet<string> = new Set<AccountCallName | 'unsettledPayments'>([
  'accounts',
  'activate',
  'rename',
  'removeAccount',
  'unsettledPayments',
  'prepare',
  'prepareFile',
  'dropPrepared',
  'inspect',
  'coverWords',
  'forget',
  'lock',
  'cover',
])

/** Calls that a locked tab answers, if the app hides everything while locked. */
export const allowedWhileLocked: ReadonlySet<string> = new Set<AccountCallName | 'stop'>([
  'unlock',
  // The notification of a package offers it, locked or not.
  'stop',
  'lock',
  'cover',
  'coverWords',
  'forget',
])

export const isClientCall = (name: string): name is ClientCallName =>
  (clientCallNames as readonly string[]).includes(name)
export const isAccountCall = (name: string): name is AccountCallName =>
  (accountCallNames as readonly string[]).includes(name)
