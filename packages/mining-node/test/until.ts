/** Waits until a condition holds; fails loudly instead of hanging. */
export async function until(holds: () => unknown, what: string, timeoutMs = 30_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * How many times longer something may take than its goal says. A processor that is shared with other suites says
 * nothing about seconds; `HAILSTONE_STRICT_TIMES=1` asks for the goal itself where nothing else runs.
 */
export const leniency = process.env.HAILSTONE_STRICT_TIMES === undefined ? 5 : 1
