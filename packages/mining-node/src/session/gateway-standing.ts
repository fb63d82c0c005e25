/** What is held against a gateway. Faults fade: half of them is forgotten in ten minutes. */
export type GatewayStanding = {
  readonly url: string
  /** Asked for a gateway after those that are known to be one. */
  readonly isBootNode: boolean
  readonly faults: number
  /** Of the session's clock, when the faults were counted. */
  readonly at: number
  /** Until then the gateway wants to be left alone. */
  readonly blockedUntil: number
  /** Whether it was tried since the last valid beacon, or since all had been tried. */
  readonly isTried: boolean
}

const HALF_LIFE_MS = 600_000

export const cleanStanding = (url: string, isBootNode = false): GatewayStanding => ({
  url,
  isBootNode,
  faults: 0,
  at: 0,
  blockedUntil: 0,
  isTried: false,
})

/** Faults that still count. */
export const faultsAt = ({ faults, at }: GatewayStanding, now: number): number =>
  faults * 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS)

export const withFaults = (standing: GatewayStanding, more: number, now: number): GatewayStanding => ({
  ...standing,
  faults: Math.max(0, faultsAt(standing, now) + more),
  at: now,
})

/** The standings with that of one gateway replaced. */
export const changed = (
  standings: readonly GatewayStanding[],
  url: string,
  change: (standing: GatewayStanding) => GatewayStanding,
): readonly GatewayStanding[] => standings.map((one) => (one.url === url ? change(one) : one))

/** A gateway with a fault is as good as a boot node without one. */
const rankOf = (standing: GatewayStanding, now: number): number =>
  Math.round(faultsAt(standing, now)) + (standing.isBootNode ? 1 : 0)

/**
 * The gateway to go to next: of those not tried in this round the one with the fewest faults, chance among equals,
 * so that miners with the same list spread over it. When all were tried a new round begins, blocked ones last.
 *
 * @param parameters.standings at least one
 * @param parameters.random uniform in [0, 1)
 * @returns the gateway; fresh when it was not tried in this round: then there is no reason to wait long
 */
export function chooseGateway(parameters: {
  readonly standings: readonly GatewayStanding[]
  readonly now: number
  readonly random: number
}): { readonly url: string; readonly isFresh: boolean } {
  const { standings, now, random } = parameters
  const free = standings.filter(({ blockedUntil }) => blockedUntil <= now)
  const fresh = free.filter(({ isTried }) => !isTried)
  const among = [fresh, free].find(({ length }) => length > 0) ?? standings
  const ranks = among.map((standing) => rankOf(standing, now))
  const equals = among.filter((_, position) => ranks[position] === Math.min(...ranks))
  const { url } = equals[Math.floor(random * equals.length)] as GatewayStanding
  return { url, isFresh: fresh.length > 0 }
}
