/** Time after which a request counts as unanswered, in ms: longer than a client takes with its own time limits. */
const LIMIT_MS = 120_000

/** Waits for an answer, but not for ever: a worker or a proxy may be gone. */
export function answered<T>(asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`There was no answer within ${LIMIT_MS / 1000} s.`)),
      LIMIT_MS,
    )
    const end = (): void => clearTimeout(timer)
    asked.then(resolve, reject).finally(end)
  })
}
