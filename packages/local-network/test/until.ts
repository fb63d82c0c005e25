/** Waits for something that happens by itself. @throws when it does not happen in time */
export async function until(claim: () => boolean | Promise<boolean>, timeoutMs = 240_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await claim())) {
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${claim}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
