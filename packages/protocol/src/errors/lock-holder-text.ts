import { type LockHolderFacts, shown } from './facts.ts'

/** Describes the process that holds a lock: `process 7`, `process 1 in another container ("web-2")`. */
export function lockHolderText({ processId, host, place = 'here' }: LockHolderFacts): string {
  const process = processId === null ? 'another page or program' : `process ${processId}`
  const name = host === null || host === undefined ? '' : ` (${shown(host)})`
  if (place === 'here') return process
  return place === 'elsewhere'
    ? `${process} in another container${name}`
    : `${process} of another machine or container${name}`
}

/** Advice if it is unknown whether the holder still runs; '' if it is known. */
export const lockAdvice = ({ place, lock }: LockHolderFacts): string =>
  place === 'unknown' && lock !== undefined
    ? ` Whether that process still lives cannot be seen from here: if it is gone for certain, remove the folder ${lock}.`
    : ''
