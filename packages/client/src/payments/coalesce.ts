/**
 * Lets callers share a request. Each caller gets the answer to a request that was sent after its call: one that is
 * already under way may be out of date, so all callers meanwhile share the next one.
 */
export function coalesce<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<T> | undefined
  return () => {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        const asked = ask()
        running = asked
        return asked
      })
    return waiting
  }
}

/** Like {@link coalesce}, keyed by argument. An entry is dropped when its request is answered. */
export function coalesceBy<Key extends string | number, T>(
  ask: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const questions = new Map<Key, { readonly put: () => Promise<T>; waiting: number }>()
  return async (key) => {
    const question = questions.get(key) ?? { put: coalesce(() => ask(key)), waiting: 0 }
    questions.set(key, question)
    question.waiting++
    try {
      return await question.put()
    } finally {
      question.waiting--
      if (question.waiting === 0) questions.delete(key)
    }
  }
}
