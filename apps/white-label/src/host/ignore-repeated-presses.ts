const actors = 'a, button, input, label, select, summary, textarea'

/** What a click acts on: of a label, the field it names. */
function actorOf(target: EventTarget | null): EventTarget | null {
  if (!(target instanceof Element)) return target
  const found = target.closest(actors)
  return found instanceof HTMLLabelElement ? (found.control ?? found) : (found ?? target)
}

/**
 * Lets one press do one thing. The second click of a double click belongs to what was under the first, not to
 * what has taken its place since; a key that is held down presses once.
 */
export function ignoreRepeatedPresses(): void {
  let first: EventTarget | null = null
  const stop = (event: Event): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener(
    'click',
    (event) => {
      const actor = actorOf(event.target)
      if (event.detail > 1 && actor !== first) stop(event)
      else first = actor
    },
    true,
  )
  addEventListener(
    'keydown',
    (event) => {
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) stop(event)
    },
    true,
  )
}
