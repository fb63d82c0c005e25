import type { AccountStore } from './account-store.ts'

/** The call changes the account. */
export const CHANGES = 1
/** The call stores, removes or returns an account. Such calls run one after another, across all tabs. */
export const STORES = 2
/** The call names its account or concerns none, so that any account may be active. */
const OF_ANY = 4
/** The call is allowed in a locked tab of an app that hides everything while locked. */
const WHILE_LOCKED = 8

/**
 * Account calls. They carry secrets and never leave the worker of the same tab. A call that creates, opens or returns a
 * secret names the index of its signal parameter. The worker adds the signal, which is aborted when the caller cancels or
 * the app is locked.
 */
const accountCalls = {
  accounts: [OF_ANY],
  activate: [CHANGES | STORES | OF_ANY, 2],
  rename: [OF_ANY],
  removeAccount: [CHANGES | STORES | OF_ANY, 2],
  prepare: [OF_ANY, 1],
  prepareFile: [OF_ANY, 2],
  dropPrepared: [OF_ANY],
  seal: [CHANGES | STORES, 1],
  storeUnprotected: [CHANGES | STORES],
  words: [STORES, 1],
  coverWords: [OF_ANY | WHILE_LOCKED],
  answerQuiz: [CHANGES],
  setStep: [CHANGES],
  inspect: [OF_ANY],
  importFile: [CHANGES | STORES, 2],
  unlock: [CHANGES | WHILE_LOCKED, 1],
  verify: [0, 1],
  consent: [0, 2],
  signIn: [0, 2],
  addPasskey: [CHANGES, 2],
  removePasskey: [CHANGES],
  lock: [OF_ANY | WHILE_LOCKED],
  cover: [OF_ANY | WHILE_LOCKED],
  exportKey: [STORES, 1],
  exportFile: [STORES],
  forget: [CHANGES | STORES | OF_ANY | WHILE_LOCKED],
} satisfies Partial<Record<keyof AccountStore, readonly [flags: number, signalPlace?: number]>>

export type AccountCallName = keyof typeof accountCalls

export const isAccountCall = (name: string): name is AccountCallName => Object.hasOwn(accountCalls, name)

/** True for an account call of this kind. */
export const does = (name: string, kind: number): boolean =>
  isAccountCall(name) && (accountCalls[name][0] & kind) !== 0

/** Returns the index of the signal among the parameters; undefined for a call without a secret. */
export const signalPlaceOf = (name: string): number | undefined =>
  isAccountCall(name) ? accountCalls[name][1] : undefined

/** True if the call `last` cancels an open call of this name, whose secret is not needed any more. */
export const endsBefore = (name: string, last: string): boolean =>
  last === 'lock' || last === 'cover'
    ? signalPlaceOf(name) !== undefined
    : (last === 'coverWords' && name === 'words') ||
      (last === 'dropPrepared' && (name === 'prepare' || name === 'prepareFile'))

/** True for a request to the network, which concerns no account of this browser. `network-client.ts` has all of them. */
export const isClientCall = (name: string): boolean => /^(?:get|request)[A-Z]/.test(name)

/** True if a locked tab refuses this call where the app hides everything while locked. */
export const isRefusedLocked = (name: string): boolean =>
  // The notification of a package offers `stop`, locked or not.
  name !== 'stop' && !isClientCall(name) && !does(name, WHILE_LOCKED)

/** True if this call concerns only the account that the calling page shows. */
export const meansShown = (name: string): boolean =>
  name !== 'unsettledPayments' && !isClientCall(name) && !does(name, OF_ANY)
