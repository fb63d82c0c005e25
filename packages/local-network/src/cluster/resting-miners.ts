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
  function endRests(): void {
    const nowMs = clock.now()
    for (const [id, { sinceMs }] of resting) {
      if (!hasPassed(beaconIntervalMs, { sinceMs, nowMs })) return
      resting.delete(id)
    }
  }
  return {
    begin({ id, nowMs, tokenId, isStaked }, share) {
      const { count, weight } = share ?? { count: 1, weight: 0n }
      resting.set(id, { tokenId, isStaked, weight: weight / BigInt(Math.max(1, count)), sinceMs: nowMs })
    },
    correct(offerId, weight) {
      const one = resting.get(offerId)
      if (weight === null) resting.delete(offerId)
      else if (one !== undefined) one.weight = weight
    },
    takeOff(all, isStaked) {
      endRests()
      if (resting.size === 0) return all
      const shares = new Map(all)
      for (const one of resting.values()) {
        const share = one.isStaked === isStaked ? shares.get(one.tokenId) : undefined
        if (share === undefined) continue
        const weight = share.weight > one.weight ? share.weight - one.weight : 0n
        shares.set(one.tokenId, { count: Math.max(0, share.count - 1), weight })
      }
      return shares
    },
  }
}
