/** What is held against one of several gateways. Faults fade: half of them is forgotten in ten minutes. */
export type GatewayStanding = {
  readonly url: string
  readonly faults: number
  /** Of the session's clock, when the faults were counted. */
  readonly at: number
  /** Until then the gateway wants to be left alone. */
  readonly blockedUntil: number
  /** Whether it was tried since the last valid beacon, or since all had been tried. */
  readonly isTried: boolean
}

const HALF_LIFE_MS = 600_000

export const cleanStanding = (url: string): GatewayStanding => ({
  url,
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

export type GatewayChoice = {
  readonly url: string
  /** Whether it was not tried in this round: then there is no reason to wait long. */
  readonly isFresh: boolean
}

/**
 * The gateway to go to next: of those not tried in this round the one with the fewest faults, chance among equals,
 * so that miners with the same list spread over it. When all were tried a new round begins, blocked ones last.
 *
 * @param parameters.random uniform in [0, 1)
 */
export function chooseGateway(parameters: {
  readonly standings: readonly GatewayStanding[]
  readonly now: number
  readonly random: number
}): GatewayChoice | null {
  const { standings, now, random } = parameters
  const free = standings.filter(({ blockedUntil }) => blockedUntil <= now)
  const fresh = free.filter(({ isTried }) => !isTried)
  const among = [fresh, free, standings].find(({ length }) => length > 0) ?? []
  const rank = (standing: GatewayStanding): number => Math.round(faultsAt(standing, now))
  const least = Math.min(...among.map(rank))
  const equals = among.filter((standing) => rank(standing) === least)
  const chosen = equals[Math.floor(random * equals.length)]
  return chosen === undefined ? null : { url: chosen.url, isFresh: fresh.length > 0 }
}
