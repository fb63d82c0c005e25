/** Waits until a condition holds; fails loudly instead of hanging. */
export async function until(
  holds: () => unknown,
  what: string | (() => string),
  timeoutMs = 240_000,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > end) {
      const text = typeof what === 'string' ? what : what()
      throw new Error(`waited ${timeoutMs} ms in vain until ${text}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
