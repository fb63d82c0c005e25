/** Fault score of one gateway. Faults decay: half of them are dropped in ten minutes. */
export type GatewayScore = {
  readonly url: string
  /** Asked for a gateway after those that are known to be one. */
  readonly isBootNode: boolean
  readonly faults: number
  /** Of the session's clock, when the faults were counted. */
  readonly at: number
  /** Until then the gateway wants to be left alone. */
  readonly blockedUntil: number
  /** True if it was tried since the last valid beacon, or since all had been tried. */
  readonly isTried: boolean
}

const HALF_LIFE_MS = 600_000

export const cleanScore = (url: string, isBootNode = false): GatewayScore => ({
  url,
  isBootNode,
  faults: 0,
  at: 0,
  blockedUntil: 0,
  isTried: false,
})

/** Faults that still count. */
export const faultsAt = ({ faults, at }: GatewayScore, now: number): number =>
  faults * 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS)

export const withFaults = (score: GatewayScore, more: number, now: number): GatewayScore => ({
  ...score,
  faults: Math.max(0, faultsAt(score, now) + more),
  at: now,
})

/** The scores with that of one gateway replaced. */
export const changed = (
  scores: readonly GatewayScore[],
  url: string,
  change: (score: GatewayScore) => GatewayScore,
): readonly GatewayScore[] => scores.map((one) => (one.url === url ? change(one) : one))

/** A gateway with a fault is as good as a boot node without one. */
const rankOf = (score: GatewayScore, now: number): number =>
  Math.round(faultsAt(score, now)) + (score.isBootNode ? 1 : 0)

/**
 * The gateway to go to next: of those not tried in this round the one with the fewest faults, chance among equals,
 * so that miners with the same list spread over it. When all were tried a new round begins, without blocked ones; where
 * all are blocked, it is the one that is free first.
 *
 * @param parameters.scores at least one
 * @param parameters.random uniform in [0, 1)
 * @returns the gateway, and for how long it wants to be left alone; fresh when it was not tried in this round: then there
 *   is no reason to wait long
 */
export function chooseGateway(parameters: {
  readonly scores: readonly GatewayScore[]
  readonly now: number
  readonly random: number
}): { readonly url: string; readonly isFresh: boolean; readonly blockedMs: number } {
  const { scores, now, random } = parameters
  const freeAt = Math.max(now, Math.min(...scores.map(({ blockedUntil }) => blockedUntil)))
  const free = scores.filter(({ blockedUntil }) => blockedUntil <= freeAt)
  const fresh = free.filter(({ isTried }) => !isTried && freeAt === now)
  const among = fresh.length > 0 ? fresh : free
  const least = Math.min(...among.map((score) => rankOf(score, now)))
  const equals = among.filter((score) => rankOf(score, now) === least)
  const { url } = equals[Math.floor(random * equals.length)] as GatewayScore
  return { url, isFresh: fresh.length > 0, blockedMs: freeAt - now }
}
