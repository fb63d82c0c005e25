import { expect, it } from 'vitest'
import { explainShare, type ShareFacts, shareSentence, workOf } from './share.ts'

const token = { symbol: 'DEV', decimals: 2 }
const away = { why: 'the API did not answer' }
const facts: ShareFacts = {
  token,
  balance: 5_000n,
  minimumStake: 2_500n,
  maximumStake: 20_000n,
  work: { offered: 10, signed: 8, tooLate: 2, leftOut: 1, inBlocks: 7 },
  onlineMs: 7_500_000,
  slot: { hasSlot: false, places: { count: 4, size: 2 } },
}
const sentences = (changed: Partial<ShareFacts>): readonly string[] =>
  explainShare({ ...facts, ...changed }).map((part) => shareSentence(part, token))
const codes = (changed: Partial<ShareFacts>): readonly string[] =>
  explainShare({ ...facts, ...changed }).map(({ code }) => code)

it('says with figures why a miner earns less than another one', () => {
  expect(sentences({})).toStrictEqual([
    'The stake is 50 DEV, and up to 200 DEV count: another miner can get up to 4 times as much for the same block.',
    'Since it was started the network has offered it 10 microblocks, which are small blocks to sign. Signed: 8. Too late to be signed: 2. Signed but left out of the blocks: 1. In blocks, and only these are paid: 7.',
    'It was connected for 2 hours since it was started; the network offers microblocks only to connected miners.',
    'DEV has no place of its own in the blocks: its miners share the open places with the miners of all tokens. The network keeps 4 places of 2 microblocks each.',
  ])
})

it('compares the stake with the most that counts', () => {
  expect(codes({ balance: 2_499n })[0]).toBe('STAKE_BELOW')
  expect(sentences({ balance: 2_499n })[0]).toContain('0.01 DEV are missing')
  expect(codes({ balance: 20_000n })[0]).toBe('STAKE_FULL')
  expect(sentences({ balance: 19_999n })[0]).toContain('up to 1.1 times')
  expect(sentences({ balance: 8_000n })[0]).toContain('up to 2.5 times')
  expect(sentences({ balance: 10_001n })[0]).toContain('up to 2 times')
  expect(codes({ maximumStake: null })[0]).toBe('STAKE_COUNTS')
})

it.each([20_000n, null])(
  'says of no stake that it earns nothing, where no least one is wanted too: %s',
  (most) => {
    const [said] = sentences({ balance: 0n, minimumStake: 0n, maximumStake: most })
    expect(said).toContain('0.01 DEV are missing, and until then nothing is earned')
  },
)

it('leaves unknown what is, with its reason, and takes no zero for it', () => {
  expect(
    codes({ balance: away, work: away, onlineMs: away, slot: { hasSlot: null, places: null } }),
  ).toStrictEqual(['STAKE_UNKNOWN', 'WORK_UNKNOWN', 'ONLINE_UNKNOWN', 'SLOT_UNKNOWN'])
  expect(sentences({ maximumStake: away })[0]).toContain('not known: the API did not answer.')
  expect(codes({ work: workOf({ published: 0, refused: 0, missed: 0, included: 0 }) })[1]).toBe('WORK_NONE')
})

it('uses no word that only somebody who knows mining understands, and no figure without its noun', () => {
  const slots = [true, false, null].map((hasSlot) => ({ slot: { hasSlot, places: null } }))
  const cases: readonly Partial<ShareFacts>[] = [
    ...[{ balance: 1n }, { balance: 20_000n }, { maximumStake: null }, ...slots],
    { work: { offered: 0, signed: 0, tooLate: 0, leftOut: 0, inBlocks: 0 } },
    { work: { offered: 1, signed: 1, tooLate: 0, leftOut: 1, inBlocks: 0 } },
  ]
  for (const said of cases.flatMap(sentences)) {
    expect(said).not.toMatch(/neighbour|by lot|nobody|only to who|the least of|1 were|1 came/)
    // A microblock is explained where its number is what the sentence is about.
    if (/offered it/.test(said)) expect(said).toMatch(/small blocks? to sign/)
  }
})
