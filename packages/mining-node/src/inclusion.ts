const NEWEST = 20
/** Below that nothing is said. */
const LEAST = 8

/** Whether publications come into the chain. */
export type Inclusion = {
  /** Of the newest ones, whether each did. */
  readonly newest: readonly boolean[]
  /** True while most did not: the gateway keeps them to itself, or answers come too late. */
  readonly areIgnored: boolean
  /** True for the publication with which that was found, again for each eight of them. */
  readonly isAlarm: boolean
}

export const NOTHING_PUBLISHED: Inclusion = { newest: [], areIgnored: false, isAlarm: false }

/** Judges with one publication more. After an alarm it counts anew, since another gateway may be in use. */
export function withSettled({ newest, areIgnored }: Inclusion, isIncluded: boolean): Inclusion {
  const next = [...newest, isIncluded].slice(-NEWEST)
  if (next.length < LEAST) return { newest: next, areIgnored, isAlarm: false }
  const isAlarm = 2 * next.filter(Boolean).length < next.length
  return { newest: isAlarm ? [] : next, areIgnored: isAlarm, isAlarm }
}
