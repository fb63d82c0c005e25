import { walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { expect, it } from 'vitest'
import type { AccountRecord } from './account-record.ts'
import {
  accountStateOf,
  covered,
  type Held,
  heldFor,
  isQuizPassed,
  NOTHING_HELD,
  tabLockOf,
  taken,
  unlocked,
} from './held-account.ts'

const wallet = walletFromPrivateKey('1'.padStart(64, '0'))
const { address } = wallet
const record: AccountRecord = { address, step: 'done', isNew: true, isBackedUp: false, isSealed: true }
const draft = { address, words: 'one two three four' }
const prepared = { wallet, words: draft.words, isNew: true }
const full: Held = { wallet, prepared, draft, isCovered: false }

it.each([
  ['without an account', undefined, true, true, 'open'],
  ['stored unprotected', { ...record, isSealed: false }, false, true, 'open'],
  ['without the key', record, false, true, 'locked'],
  ['covered', record, true, true, 'covered'],
  ['with the key', record, true, false, 'open'],
])('a tab %s has its lock', (_, kept, hasKey, isCovered, lock) => {
  expect(tabLockOf(kept, hasKey, isCovered)).toBe(lock)
})

it.each([
  ['in its first run', { ...record, step: 'quiz' as const }, true, { status: 'setup', step: 'quiz' }],
  ['without the key', record, false, { status: 'locked', hasWords: true, wasExposed: false }],
  ['with the key', record, true, { status: 'open', hasWords: true, isBackedUp: false }],
  ['of an exposed key', { ...record, wasExposed: true }, true, { hasWords: false, wasExposed: true }],
  ['that was imported', { ...record, isNew: false }, true, { hasWords: false }],
])('an account %s has its state', (_, kept, hasKey, state) => {
  expect(accountStateOf(kept, hasKey)).toMatchObject({ address, ...state })
})

it('what is held goes with the account it belongs to', () => {
  expect(heldFor(full, record)).toBe(full)
  expect(heldFor(full, undefined)).toEqual(NOTHING_HELD)
  expect(heldFor(full, { ...record, address: '02ab' as Address })).toEqual(NOTHING_HELD)
  // A first run has a prepared account before any is stored.
  const begun = { ...NOTHING_HELD, prepared }
  expect(heldFor(begun, undefined)).toBe(begun)
})

it('what is stored is held until it is covered, and a cover leaves the key alone', () => {
  expect(taken(prepared, true)).toEqual({ ...NOTHING_HELD, wallet, draft })
  expect(taken({ ...prepared, words: null }, false)).toEqual(NOTHING_HELD)
  expect(covered(full)).toEqual({ ...NOTHING_HELD, wallet, isCovered: true })
  expect(covered({ ...full, wallet: null })).toEqual(NOTHING_HELD)
  expect(unlocked(covered(full), wallet, null)).toEqual({ ...NOTHING_HELD, wallet })
  expect(unlocked(NOTHING_HELD, wallet, draft)).toEqual({ ...NOTHING_HELD, wallet, draft })
})

it.each([
  ['three right words', ['1 one', '2 TWO ', '4 four'], true],
  ['two of them', ['1 one', '2 two'], false],
  ['one of them three times', ['1 one', '1 one', '1 one'], false],
  ['a wrong one among four', ['1 one', '2 two', '3 three', '4 five'], false],
  ['a position that the phrase has not', ['1 one', '2 two', '5 '], false],
])('the quiz takes %s or does not', (_, given, isPassed) => {
  const answers = given.map((one) => ({ position: Number(one[0]), word: one.slice(2) }))
  expect(isQuizPassed(draft, answers)).toBe(isPassed)
})
