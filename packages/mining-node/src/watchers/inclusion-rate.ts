/** How many of the newest publications came into the chain. */
export type InclusionRate = {
  readonly settle: (isIncluded: boolean) => void
  /** Too many of them did not: the gateway keeps them to itself, or answers come too late. */
  readonly isAlarming: () => boolean
  readonly counts: () => { readonly included: number; readonly missed: number }
  readonly forget: () => void
}

const NEWEST = 20
/** Below that nothing is said. */
const LEAST = 8
const ALARMING_SHARE = 0.5

export function createInclusionRate(): InclusionRate {
  let newest: readonly boolean[] = []
  const included = (): number => newest.filter(Boolean).length
  return {
    settle: (isIncluded) => {
      newest = [...newest, isIncluded].slice(-NEWEST)
    },
    isAlarming: () => newest.length >= LEAST && included() < newest.length * ALARMING_SHARE,
    counts: () => ({ included: included(), missed: newest.length - included() }),
    forget: () => {
      newest = []
    },
  }
}
