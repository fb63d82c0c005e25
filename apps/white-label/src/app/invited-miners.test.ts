import { describe, expect, it } from 'vitest'
import { campaignSums, hasStopped, invitedMiners, type MinerFacts, stopCause } from './invited-miners.ts'

const HOUR_MS = 3_600_000
const row = (miner: string | null, amount: bigint, timeMs: number, role = 'agent') =>
  ({ role, miner, amount, timeMs }) as Parameters<typeof invitedMiners>[0][number]

describe('invited miners', () => {
  it('are those that halves of an agent came for, with their sums, who earned last first', () => {
    const rows = [
      row('a', 5n, 10),
      row('b', 7n, 20),
      row('a', 6n, 5),
      row('me', 100n, 30, 'miner'),
      row('me', 3n, 30, 'referral'),
      row('c', 9n, 40, 'tokenOwner'),
      row(null, 1n, 50),
    ]
    expect(invitedMiners(rows)).toEqual([
      { address: 'b', units: 7n, lastAtMs: 20 },
      { address: 'a', units: 11n, lastAtMs: 10 },
    ])
  })

  it('count as stopped after a day without a reward', () => {
    expect(hasStopped({ lastAtMs: 0 }, 24 * HOUR_MS)).toBe(false)
    expect(hasStopped({ lastAtMs: 0 }, 24 * HOUR_MS + 1)).toBe(true)
    // A clock that was set back makes nobody stop.
    expect(hasStopped({ lastAtMs: HOUR_MS }, 0)).toBe(false)
  })

  it('add up by campaign; one that nobody came by has nothing', () => {
    const miners = invitedMiners([row('a', 5n, 1), row('b', 7n, 1), row('c', 9n, 1)])
    const noted = {
      names: ['spring', 'fair'],
      campaignOf: { a: 'spring', b: 'spring', c: 'gone', d: 'fair' },
    }
    expect(campaignSums(miners, noted)).toEqual([
      { name: 'spring', miners: 2, units: 12n },
      { name: 'fair', miners: 0, units: 0n },
    ])
  })
})

describe('the cause of a stop', () => {
  const us = { agent: 'us', tokenId: 'ours' }
  const facts = { balance: 10n, minimumStake: 10n, later: null, isAgentPaid: false }
  const mined = (referralAgent: string | null, tokenId = 'ours') => ({
    ...facts,
    later: { tokenId, referralAgent },
  })

  it.each<[string, MinerFacts]>([
    ['silent', facts],
    ['silent', { ...facts, minimumStake: null }],
    ['stake', { ...facts, balance: 9n }],
    ['noAgent', mined(null)],
    ['otherAgent', mined('them')],
    ['ownStake', mined('us')],
    // It mines, whatever its balance is by now.
    ['ownStake', { ...mined('us'), balance: 0n }],
    ['earns', { ...mined('us'), isAgentPaid: true }],
    ['otherToken', mined('us', 'theirs')],
  ])('is %s', (cause, given) => {
    expect(stopCause(given, us)).toBe(cause)
  })
})
