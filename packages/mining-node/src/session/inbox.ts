/** Creates a function that takes one item after the other, each whole: what is given to it meanwhile waits its turn. */
export function createInbox<T>(take: (item: T) => void): (item: T) => void {
  const inbox: T[] = []
  let isBusy = false
  return (item) => {
    inbox.push(item)
    if (isBusy) return
    isBusy = true
    // Whatever throws on the way, the next item is taken.
    try {
      while (inbox.length > 0) take(inbox.shift() as T)
    } finally {
      isBusy = false
    }
  }
}
