/** Notes what has to be done at the end. */
export type AtEnd = (end: () => unknown) => void

/** Runs a body and then, whatever came of it, everything it noted, the last first. One that fails stops no other. */
export async function withEndings<T>(body: (atEnd: AtEnd) => Promise<T>): Promise<T> {
  const endings: (() => unknown)[] = []
  try {
    return await body((end) => void endings.push(end))
  } finally {
    for (const end of endings.reverse())
      await Promise.resolve()
        .then(end)
        .catch(() => undefined)
  }
}
