import { type Health, healthEndpoint } from '@hailstone/protocol'
import { within } from '../../within.ts'
import type { ApiParts, ProducerState } from '../api-parts.ts'
import { answerRoute, type Route } from '../route.ts'

/** Time limit for the store to answer, and for a macroblock to be stored, in ms. */
const STORE_TIMEOUT_MS = 2000
const CLOSING_TIMEOUT_MS = 10_000

/** A producer that is paused, or has nothing to mine, is well. */
function producerTrouble(state: ProducerState | undefined): string | null {
  if (state === undefined) return null
  if (state.failure !== null) return `The macroblock cannot be closed: ${state.failure.replace(/\.$/, '')}.`
  const { closingForMs } = state
  return closingForMs !== null && closingForMs > CLOSING_TIMEOUT_MS
    ? `A macroblock has been in the making for ${closingForMs} ms: it is not stored yet.`
    : null
}

/** Null when the store fails, or takes too long. */
async function tailHeight({ store }: ApiParts): Promise<number | null> {
  // The tail may be known without the store; how often the chain went back is not.
  const asked = store.branch().then(() => store.tail())
  return within(
    STORE_TIMEOUT_MS,
    asked.then(({ height }) => height),
    () => null,
  ).catch(() => null)
}

/** Returns the state of the network, asked of its parts now. */
export async function healthOf(parts: ApiParts): Promise<Health> {
  const { minersOnline, mempool, producerState } = parts
  const state = producerState?.()
  const height = await tailHeight(parts)
  const trouble = height === null ? 'The store does not answer.' : producerTrouble(state)
  return {
    state: trouble === null ? 'ok' : 'stuck',
    height,
    lastBlockAgeMs: height === null || state === undefined ? null : state.openForMs,
    minersOnline: minersOnline().length,
    pendingCount: mempool.size,
    isStoreOk: height !== null,
    reason: trouble,
    readCopy: parts.readCopy?.() ?? null,
    leaderLine: parts.leaderLine?.() ?? null,
  }
}

export const healthRoutes = (parts: ApiParts): readonly Route[] => [
  answerRoute(
    healthEndpoint,
    async () => {
      const value = await healthOf(parts)
      return { value, status: value.state === 'ok' ? 200 : 503 }
    },
    // Where watchdogs look for it.
    { alsoAt: '/health' },
  ),
]
