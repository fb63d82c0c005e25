import type { HealthAnswer } from './ask-health.ts'

/** How a process is; `unknown` where nothing says so, and then `why` says why not. */
export type Verdict = {
  readonly state: 'ready' | 'notReady' | 'unknown'
  readonly code: string | null
  readonly why: string | null
  readonly nextStep: string | null
}

type Facts = Readonly<Record<string, unknown>>

/** Returns the object in an answer; an empty one if it has none. */
export function factsIn(text: string): Facts {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Facts) : {}
  } catch {
    return {}
  }
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const unknown = (why: string, nextStep: string | null): Verdict => ({
  state: 'unknown',
  code: null,
  why,
  nextStep,
})

/**
 * Judges what the health address of a process answered. A miner and an indexer have their verdict in `health`, a bridge
 * and a console in the answer itself, and a network in its status code.
 */
export function judgeAnswer(healthUrl: string | null, answer: HealthAnswer | null): Verdict {
  if (healthUrl === null) return unknown('It has no health port.', 'Start it with --health-port PORT.')
  if (answer === null)
    return unknown('It runs, and its health address does not answer.', 'Restart it if that stays so.')
  if (answer.status === 401)
    return unknown('Its health port wants a token.', 'Name its file with --health-token-file.')
  const facts = factsIn(answer.text)
  const verdict =
    typeof facts['health'] === 'object' && facts['health'] !== null ? (facts['health'] as Facts) : facts
  const isReady =
    verdict['isReady'] ?? (facts['status'] === 'ok' ? true : facts['status'] === 'stuck' ? false : null)
  if (typeof isReady !== 'boolean')
    return unknown(`Its health address answers ${answer.status}, without saying whether it is ready.`, null)
  return {
    state: isReady ? 'ready' : 'notReady',
    code: textOrNull(verdict['code']),
    why: textOrNull(verdict['why'] ?? verdict['reason']),
    nextStep: textOrNull(verdict['nextStep']),
  }
}
