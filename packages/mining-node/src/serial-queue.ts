/** Runs work in the order it was asked for, each when the one before has ended, however that ended. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a queue. If it is empty, work starts before the call returns, since a closing page has no later turn. */
export function serialQueue(): InTurn {
  let last: Promise<void> | null = null
  return (work) => {
    const own = last === null ? work() : last.then(work)
    const ended = own.then(leave, leave)
    function leave(): void {
      if (last === ended) last = null
    }
    last = ended
    return own
  }
}
