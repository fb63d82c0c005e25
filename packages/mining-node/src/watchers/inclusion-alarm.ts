const NEWEST = 20
/** Below that nothing is said. */
const LEAST = 8
const ALARMING_SHARE = 0.5

/**
 * Judges how many of the newest publications came into the chain. True when too many did not: the gateway keeps them
 * to itself, or answers come too late. After an alarm it counts anew.
 */
export function createInclusionAlarm(): (isIncluded: boolean) => boolean {
  let newest: readonly boolean[] = []
  return (isIncluded) => {
    newest = [...newest, isIncluded].slice(-NEWEST)
    const count = newest.filter(Boolean).length
    const isAlarming = newest.length >= LEAST && count < newest.length * ALARMING_SHARE
    if (isAlarming) newest = []
    return isAlarming
  }
}
