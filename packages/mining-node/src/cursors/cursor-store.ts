/**
 * Store of the positions of watchers, so that the next run continues there. Each name has one writing program at a
 * time.
 */
export type CursorStore = {
  /** Null for a name that was never written. */
  readonly read: (name: string) => Promise<string | null>
  /** Replaces the text of a name; after a crash it is the old or the new one, never a mixture. */
  readonly write: (name: string, text: string) => Promise<void>
}

/** Remembers as long as the process lives. */
export function createMemoryCursors(): CursorStore {
  const texts = new Map<string, string>()
  return {
    read: async (name) => texts.get(name) ?? null,
    write: async (name, text) => void texts.set(name, text),
  }
}
