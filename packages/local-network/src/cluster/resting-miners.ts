import type { TokenId } from '@hailstone/protocol'
import { type Clock, hasPassed } from '../clock.ts'
import type { Group, Offer, Share } from '../leader/gateway-end.ts'

/** The miners of a gateway of another process that have had a beacon, as the leader counts them by its own clock. */
export type RestingMiners = {
  /** Notes an offer. Which miner gets it is not known yet: one of average weight is taken off. */
  readonly begin: (offer: Offer, share: Share | undefined) => void
  /** Notes the weight of the miner that got an offer; null if nobody got it. */
  readonly correct: (offerId: number, weight: bigint | null) => void
  /** Returns the shares without the miners that rest. */
  readonly takeOff: (all: ReadonlyMap<TokenId, Share>, isStaked: boolean) => ReadonlyMap<TokenId, Share>
}

type Resting = Group & { weight: bigint; readonly sinceMs: number }

export function createRestingMiners(parameters: {
  readonly clock: Pick<Clock, 'now'>
  readonly beaconIntervalMs: number
}): RestingMiners {
  const { clock, beaconIntervalMs } = parameters
  /** By number of the offer, the oldest first. */
  const resting = new Map<number, Resting>()
  /** Their sums, as a round of offers asks for them again and again. */
  const [staked, others] = [new Map<TokenId, Share>(), new Map<TokenId, Share>()]
  const restingOf = (isStaked: boolean): Map<TokenId, Share> => (isStaked ? staked : others)
  function count({ tokenId, isStaked, weight }: Resting, sign: 1 | -1): void {
    const ofGroup = restingOf(isStaked)
    const before = ofGroup.get(tokenId) ?? { count: 0, weight: 0n }
    const after = { count: before.count + sign, weight: before.weight + BigInt(sign) * weight }
    if (after.count === 0) ofGroup.delete(tokenId)
    else ofGroup.set(tokenId, after)
  }
  function end(id: number, one: Resting): void {
    resting.delete(id)
    count(one, -1)
  }
  function endRests(): void {
    const nowMs = clock.now()
    for (const [id, one] of resting) {
      if (!hasPassed(beaconIntervalMs, { sinceMs: one.sinceMs, nowMs })) return
      end(id, one)
    }
  }
  return {
    begin({ id, nowMs, tokenId, isStaked }, share) {
      const { count: miners, weight } = share ?? { count: 1, weight: 0n }
      const average = weight / BigInt(Math.max(1, miners))
      const one = { tokenId, isStaked, weight: average, sinceMs: nowMs }
      resting.set(id, one)
      count(one, 1)
    },
    correct(offerId, weight) {
      const one = resting.get(offerId)
      if (one === undefined) return
      if (weight === null) end(offerId, one)
      else {
        count(one, -1)
        one.weight = weight
        count(one, 1)
      }
    },
    takeOff(all, isStaked) {
      endRests()
      const resters = restingOf(isStaked)
      if (resters.size === 0) return all
      const shares = new Map(all)
      for (const [tokenId, { count, weight }] of resters) {
        const share = shares.get(tokenId)
        if (share === undefined) continue
        const left = share.weight > weight ? share.weight - weight : 0n
        shares.set(tokenId, { count: Math.max(0, share.count - count), weight: left })
      }
      return shares
    },
  }
}
