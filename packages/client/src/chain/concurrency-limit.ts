/** Runs a task as soon as fewer than the limit are running. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>

/** Lets at most `limit` tasks run at a time; the others wait in the order they came. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let free = limit
  const enter = (): Promise<void> => {
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
  return async (task) => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
