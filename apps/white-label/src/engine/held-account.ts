import type { Wallet } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import type { AccountRecord } from './account-record.ts'
import type { Prepared } from './account-setup.ts'
import type { AccountState, TabLock } from './engine-state.ts'

/** Recovery phrase during its backup, with the address of its account. */
export type Draft = { readonly address: Address; readonly words: string }

/** Secrets in the memory of one tab's worker. */
export type Held = {
  /** Wallet of the active account; null while it is locked or stored unprotected. */
  readonly wallet: Wallet | null
  /** Account to store; null again once its record is written. */
  readonly prepared: Prepared | null
  readonly draft: Draft | null
  /** True if the tab asks for the passphrase although it has the key. */
  readonly isCovered: boolean
}

export const NOTHING_HELD: Held = { wallet: null, prepared: null, draft: null, isCovered: false }

/** Drops everything if another tab removed the account, or made another one active. */
export const heldFor = (held: Held, record: AccountRecord | undefined): Held =>
  held.wallet !== null && record?.address !== held.wallet.address ? NOTHING_HELD : held

/** Returns the secrets of a tab that has just stored this account. */
export const taken = ({ wallet, words }: Prepared, isSealed: boolean): Held => ({
  ...NOTHING_HELD,
  wallet: isSealed ? wallet : null,
  draft: words === null ? null : { address: wallet.address, words },
})

/** @param draft phrase whose backup continues; null leaves the one that is held */
export const unlocked = (held: Held, wallet: Wallet, draft: Draft | null): Held => ({
  ...held,
  wallet,
  draft: draft ?? held.draft,
  isCovered: false,
})

export const covered = ({ wallet }: Held): Held => ({ ...NOTHING_HELD, wallet, isCovered: wallet !== null })

export function tabLockOf(record: AccountRecord | undefined, hasKey: boolean, isCovered: boolean): TabLock {
  if (!record?.isSealed) return 'open'
  if (!hasKey) return 'locked'
  return isCovered ? 'covered' : 'open'
}

export function accountStateOf(record: AccountRecord, hasKey: boolean): AccountState {
  const { address, step, isNew, isBackedUp, isSealed, wasExposed = false } = record
  if (step !== 'done') return { status: 'setup', step, address, isNew }
  const status = hasKey ? 'open' : 'locked'
  return { status, address, isBackedUp, hasWords: isNew && !wasExposed, isSealed, wasExposed }
}

/** A word of the phrase and its position, from 1. */
export type QuizAnswer = { readonly position: number; readonly word: string }

/** True if the words at three positions at least are right, and no word is wrong. */
export function isQuizPassed({ words }: Draft, answers: readonly QuizAnswer[]): boolean {
  const list = words.split(' ')
  const isRight = answers.every(({ position, word }) => list[position - 1] === word.trim().toLowerCase())
  return isRight && new Set(answers.map(({ position }) => position)).size >= 3
}
