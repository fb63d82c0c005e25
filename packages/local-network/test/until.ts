/** Waits for something that happens by itself. @throws when it does not happen in time */
export async function until(claim: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await claim())) {
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${claim}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/**
 * How many times longer something may take than its goal says. A processor that is shared with other suites says
 * nothing about seconds; `HAILSTONE_STRICT_TIMES=1` asks for the goal itself where nothing else runs.
 */
export const leniency = process.env.HAILSTONE_STRICT_TIMES === undefined ? 5 : 1
