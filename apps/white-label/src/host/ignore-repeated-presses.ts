const actors = 'a, button, input, label, select, summary, textarea'

/** Returns the element that a click activates; for a label, its field. */
function actorOf(target: EventTarget | null): EventTarget | null {
  if (!(target instanceof Element)) return target
  const found = target.closest(actors)
  return found instanceof HTMLLabelElement ? (found.control ?? found) : (found ?? target)
}

/**
 * Ignores accidental activations: the second click of a double click if another element has taken the place of the
 * first, and key repeats.
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
