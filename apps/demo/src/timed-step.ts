/** Says what a slow step does while it lasts, and how long it took. */
export async function timedStep<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const isTerminal = process.stdout.isTTY === true
  if (isTerminal) process.stdout.write(`  … ${title}`)
  const result = await work().catch((error: unknown) => {
    if (isTerminal) process.stdout.write('\n')
    throw error
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${isTerminal ? '\r' : ''}  ✓ ${title} — ${seconds} s\n`)
  return result
}
