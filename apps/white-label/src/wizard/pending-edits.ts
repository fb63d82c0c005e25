const TYPING_MS = 350

/** Edits that are not sent yet. */
const typed = new Map<Element, () => Promise<void>>()

/** Sends pending edits: before another brand is shown, and before saving. */
export const sendTyped = (): void => {
  for (const send of typed.values()) void send()
}

/** Number of the last edit of each field whose edits are not all answered. An answer to others leaves it as it is. */
const unanswered = new Map<Element, number>()

/** True while an edit waits to be sent or answered. */
export const hasPending = (): boolean => typed.size > 0 || unanswered.size > 0

/** Debounces: acts after the last key press. */
export function whenSettled(act: (field: HTMLInputElement) => Promise<unknown>): (event: Event) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let edits = 0
  return ({ currentTarget }) => {
    const field = currentTarget as HTMLInputElement
    const edit = ++edits
    unanswered.set(field, edit)
    const send = async (): Promise<void> => {
      clearTimeout(timer)
      typed.delete(field)
      await act(field)
      if (unanswered.get(field) === edit) unanswered.delete(field)
    }
    clearTimeout(timer)
    timer = setTimeout(send, TYPING_MS)
    typed.set(field, send)
  }
}

/** True while an edit of the field waits for its answer: the field is newer than any other answer. */
export const isUnanswered = (field: Element): boolean => unanswered.has(field)
