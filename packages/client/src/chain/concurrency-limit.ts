/** Runs a task as soon as fewer than the limit are running. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>

/** Lets at most `limit` tasks run at a time; the others wait in the order they came. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let free = limit
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
  const run = async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      return await task()
    } finally {
      leave()
    }
  }
  return (task) => {
    if (free === 0) return new Promise<void>((resolve) => waiting.push(resolve)).then(() => run(task))
    free--
    return run(task)
  }
}
