import { type LockHolderFacts, shown } from './facts.ts'

/** Names the process that has a lock: `process 7`, `process 1 in another container ("web-2")`. */
export function lockHolderText({ processId, host, place = 'here' }: LockHolderFacts): string {
  const process = processId === null ? 'another page or program' : `process ${processId}`
  const name = host === null || host === undefined ? '' : ` (${shown(host)})`
  if (place === 'here') return process
  return place === 'elsewhere'
    ? `${process} in another container${name}`
    : `${process} of another machine or container${name}`
}

/** Says how to go on where nobody can tell from here whether the holder still lives; '' where that is known. */
export const lockAdvice = ({ place, lock }: LockHolderFacts): string =>
  place === 'unknown' && lock !== undefined
    ? ` Whether that process still lives cannot be seen from here: if it is gone for certain, remove the folder ${lock}.`
    : ''
