/** A resource that is opened on first use, at most once at a time. */
export type OpenOnce<T> = {
  /** Opens it, or waits for the opening that is under way. After a failure the next call opens it anew. */
  readonly open: () => Promise<T>
  /** Null while it is not open. */
  readonly opened: () => T | null
  /** True while it is open or being opened. */
  readonly isAsked: () => boolean
  /** Closes it, also what is still being opened; it can be opened again at once. */
  readonly close: () => Promise<void>
}

export function openOnce<T extends { readonly close: () => Promise<void> }>(
  open: () => Promise<T>,
): OpenOnce<T> {
  let opening: Promise<T> | null = null
  let opened: T | null = null
  return {
    open: async () => {
      opening ??= open()
      const own = opening
      try {
        const value = await own
        if (opening === own) opened = value
        return value
      } catch (error) {
        if (opening === own) opening = null
        throw error
      }
    },
    opened: () => opened,
    isAsked: () => opening !== null,
    close: async () => {
      const before = opening
      opening = null
      opened = null
      // One that did not open needs no closing: whoever opened it has the reason.
      await before?.then(
        ({ close }) => close(),
        () => undefined,
      )
    },
  }
}
