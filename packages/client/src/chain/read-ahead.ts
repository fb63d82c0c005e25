/**
 * Starts work on the next items while the first is awaited, and gives the results in order. At most `ahead`
 * items are under way or waiting to be taken, so memory does not grow with the length of the list.
 *
 * Failures surface at their place in the order. Leaving early leaves the rest to itself: cancel it by the
 * signal the work was given.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  { ahead, work }: { readonly ahead: number; readonly work: (item: Item) => Promise<Result> },
): AsyncGenerator<Result, void, undefined> {
  const iterator = items[Symbol.iterator]()
  const started: Promise<Result>[] = []
  const startNext = (): boolean => {
    const next = iterator.next()
    if (next.done) return false
    const result = work(next.value)
    // It is awaited later, at its turn; until then its failure is not unhandled.
    result.catch(() => undefined)
    started.push(result)
    return true
  }
  while (started.length < ahead && startNext());
  for (let first = started.shift(); first !== undefined; first = started.shift()) {
    yield await first
    startNext()
  }
}
