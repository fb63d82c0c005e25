import type { ClosedMacroblock } from '@hailstone/ledger'
import { expect, test } from 'vitest'
import type { ProducerEvents } from '../chain/block-producer.ts'
import { createEvents } from '../chain/events.ts'
import { createKeptAnswers, type Lasting } from './kept-answers.ts'

const written = { type: 'application/json', body: '{}' }

/** A macroblock that changes one balance and one delegation, and nothing that these tests do not read. */
const closedWith = (account: string, delegator: string): ClosedMacroblock =>
  ({
    changes: { balances: [{ account }], delegations: [{ delegator }], undelegations: [] },
    report: { records: [] },
  }) as unknown as ClosedMacroblock

const lastings: readonly (readonly [url: string, lasting: Lasting])[] = [
  ['/tx', 'on chain'],
  ['/height', 'until next'],
  ['/balance?id=payer', { account: 'payer' }],
  ['/balance?id=staker', { account: 'staker' }],
  ['/balance?id=other', { account: 'other' }],
]

function keptOverChain() {
  const events = createEvents<Pick<ProducerEvents, 'macroblockClosed' | 'reorganised'>>(
    { macroblockClosed: true, reorganised: true },
    (error) => {
      throw error
    },
  )
  const state: { tip: object | null; storing: ClosedMacroblock | null } = { tip: {}, storing: null }
  const kept = createKeptAnswers({ tip: () => state.tip, storing: () => state.storing, on: events.on })
  for (const [url, lasting] of lastings) kept.keep(url, written, lasting, state.tip)
  const found = (): readonly string[] =>
    lastings.flatMap(([url]) => (kept.find(url) === undefined ? [] : [url]))
  return { events, state, found }
}

test('what a macroblock does not change is answered while it is stored, and afterwards', () => {
  const { events, state, found } = keptOverChain()
  expect(found()).toEqual(lastings.map(([url]) => url))
  state.tip = null
  state.storing = closedWith('payer', 'staker')
  expect(found()).toEqual(['/tx', '/balance?id=other'])
  state.tip = {}
  state.storing = null
  events.emit('macroblockClosed', { closed: closedWith('payer', 'staker') } as never)
  expect(found()).toEqual(['/tx', '/balance?id=other'])
})

test('while another process may change the chain, nothing is known to be true', () => {
  const { events, state, found } = keptOverChain()
  state.tip = null
  expect(found()).toEqual([])
  state.tip = {}
  events.emit('reorganised', { fromHeight: 2, toHeight: 1 })
  expect(found()).toEqual([])
})
