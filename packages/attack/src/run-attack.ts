import type { Attack, AttackContext } from './attack.ts'
import type { Outcome } from './report.ts'

/**
 * Runs one attack and its clean-ups, the last one first. Never rejects: an attack that fails, or takes longer than
 * `limitMs`, is an outcome with an error.
 */
export async function runAttack(
  attack: Attack,
  given: Pick<AttackContext, 'say' | 'seconds'> & {
    readonly limitMs: number
    readonly interrupted: AbortSignal
  },
): Promise<Outcome> {
  const { name, row } = attack
  const ends: (() => Promise<unknown> | unknown)[] = []
  const ending = new AbortController()
  const { signal } = ending
  const abort = (): void => ending.abort()
  const timer = setTimeout(abort, given.limitMs)
  given.interrupted.addEventListener('abort', abort, { once: true })
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(reasonOf(given))), { once: true })
  })
  over.catch(() => {})
  try {
    const context: AttackContext = { ...given, signal, onEnd: (end) => void ends.push(end) }
    const figures = await Promise.race([attack.run(context), over])
    return { name, row, figures, error: null }
  } catch (error) {
    return { name, row, figures: [], error: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
    given.interrupted.removeEventListener('abort', abort)
    ending.abort()
    for (const end of ends.reverse())
      await Promise.resolve()
        .then(end)
        .catch(() => {})
  }
}

const reasonOf = ({ interrupted, limitMs }: { interrupted: AbortSignal; limitMs: number }): string =>
  interrupted.aborted ? 'interrupted' : `not over within ${limitMs / 1000} s`
