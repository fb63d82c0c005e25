import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  feePools,
  referralReward,
  rewardPools,
  stakePoolSplit,
  stakeShare,
  tokenMiningPool,
} from './reward.ts'

const pulse = { proofOfActivityBps: 3181, proofOfStakeBps: 5500, proofOfWorkBps: 500 }
const pulseFees = { keyBlockPublisherBps: 50, genesisBps: 300, leaderBps: 50, proofOfStakeBps: 9600 }

describe('the pools of a macroblock', () => {
  it('are those of the worked examples', () => {
    expect(rewardPools(30460000000n, pulse)).toEqual({
      proofOfActivity: 9689326000n,
      proofOfStake: 16753000000n,
      proofOfWork: 1523000000n,
    })
    expect(feePools(29000000000n, pulseFees)).toEqual({
      keyBlockPublisher: 145000000n,
      genesis: 870000000n,
      proofOfStake: 27840000000n,
    })
  })

  it('leave out the referral part of a custom token', () => {
    const token = { blockReward: 18353850657n, referralShareBps: 1000, maxSupply: 1n << 60n, totalSupply: 0n }
    expect(tokenMiningPool(token)).toBe(16685318779n)
  })

  it('are empty once a full block reward no longer fits the supply', () => {
    const token = { blockReward: 10n, referralShareBps: 0, maxSupply: 100n }
    expect(tokenMiningPool({ ...token, totalSupply: 90n })).toBe(10n)
    expect(tokenMiningPool({ ...token, totalSupply: 91n })).toBe(0n)
  })
})

describe('stakeShare', () => {
  it('is that of worked example 2', () => {
    const shares = [510752829414n, 3186612499897n].map((stake) =>
      stakeShare({ stake, pool: 9689326000n, totalStake: 3697365329311n }),
    )
    expect(shares).toEqual([1338480303n, 8350845696n])
  })

  it('is nothing when nobody has a stake', () => {
    expect(stakeShare({ stake: 0n, pool: 5n, totalStake: 0n })).toBe(0n)
  })
})

describe('referralReward', () => {
  const given = { microblockReward: 1338480303n, referralShareBps: 2574 }

  it('halves between publisher and a qualified agent and leaves the odd unit', () => {
    expect(referralReward({ ...given, agent: 'qualified' })).toEqual({
      publisher: 172262414n,
      agent: 172262414n,
      owner: 0n,
      dust: 1n,
    })
  })

  it('gives the agent half to the owner when the stake is too small', () => {
    expect(referralReward({ ...given, agent: 'unqualified' })).toMatchObject({
      publisher: 172262414n,
      agent: 0n,
      owner: 172262414n,
    })
  })

  it('gives all of it to the owner without an agent', () => {
    expect(referralReward({ ...given, agent: 'absent' })).toEqual({
      publisher: 0n,
      agent: 0n,
      owner: 344524829n,
      dust: 0n,
    })
  })

  it('divides its total without loss', () => {
    const standings = fc.constantFrom('qualified' as const, 'unqualified' as const, 'absent' as const)
    fc.assert(
      fc.property(
        fc.bigInt(0n, 1n << 64n),
        fc.integer({ min: 0, max: 10_000 }),
        standings,
        (reward, bps, agent) => {
          const parts = referralReward({ microblockReward: reward, referralShareBps: bps, agent })
          const total = Object.values(parts).reduce((sum, units) => sum + units, 0n)
          expect(total).toBe((reward * BigInt(bps)) / 10_000n)
          expect(parts.dust).toBeLessThanOrEqual(1n)
        },
      ),
    )
  })
})

describe('stakePoolSplit', () => {
  it('takes the owner part of worked example 4 first', () => {
    const split = stakePoolSplit({ reward: 27840000000n, feeBps: 1847, stakes: [3n, 1n] })
    expect(split).toEqual({ owner: 5142048000n, delegators: [17023464000n, 5674488000n] })
  })

  it('never pays more than the reward', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 1n << 64n),
        fc.integer({ min: 0, max: 10_000 }),
        fc.array(fc.bigInt(0n, 1n << 60n)),
        (reward, feeBps, stakes) => {
          const { owner, delegators } = stakePoolSplit({ reward, feeBps, stakes })
          const paid = delegators.reduce((sum, units) => sum + units, owner)
          expect(paid).toBeLessThanOrEqual(reward)
          if (stakes.some((stake) => stake > 0n)) expect(reward - paid).toBeLessThan(BigInt(stakes.length))
        },
      ),
    )
  })
})
