/** Returns a choice that was kept in the storage of this page; null without one. */
export const storedChoice = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Keeps a choice. Without storage it lasts as long as the page. */
export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Browsers may refuse storage.
  }
}
