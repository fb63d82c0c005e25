/** Gateways of a bridge: whose turn it is, and those that did not answer, with how often in a row. */
export type Upstreams = {
  readonly turn: number
  /** By host and port. */
  readonly failures: ReadonlyMap<string, number>
}

export const NO_FAILURES: Upstreams = { turn: 0, failures: new Map() }

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

/** Time after which a gateway is tried again that did not answer as often in a row, in ms. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))

/**
 * The gateways in the order in which they are tried for the next session: those that answer, in turns, and then those
 * that did not answer last time.
 */
export function inTurn(urls: readonly URL[], { turn, failures }: Upstreams): readonly URL[] {
  const turned = urls.map((_, index) => urls[(turn + index) % urls.length] as URL)
  const isFailing = ({ host }: URL): boolean => failures.has(host)
  return [...turned.filter((url) => !isFailing(url)), ...turned.filter(isFailing)]
}

export const nextTurn = ({ turn, failures }: Upstreams): Upstreams => ({ turn: turn + 1, failures })

/** What is known after a gateway answered, or did not. */
export function noted({ turn, failures }: Upstreams, { host }: URL, hasAnswered: boolean): Upstreams {
  const next = new Map(failures)
  if (hasAnswered) next.delete(host)
  else next.set(host, (failures.get(host) ?? 0) + 1)
  return { turn, failures: next }
}
