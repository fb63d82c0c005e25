/** Runs work in the order it was asked for, each when the one before has ended, however that ended. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a queue. If it is empty, work starts before the call returns, since a closing page has no later turn. */
export function serialQueue(): InTurn {
  let last: Promise<void> | null = null
  return async (work) => {
    const before = last
    let done = (): void => undefined
    const own = new Promise<void>((resolve) => {
      done = resolve
    })
    last = own
    try {
      if (before !== null) await before
      return await work()
    } finally {
      if (last === own) last = null
      done()
    }
  }
}
