import { type Client, type Clock, createClient } from '@hailstone/client'
import type { ModelChain } from './model-chain.ts'

/** Uniform in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Returns a client whose address belongs to two nodes of one chain, of which one is behind.
 *
 * @param parameters.isBehind says for each request whether the node that is behind answers it
 */
export function balancedClient(parameters: {
  readonly model: ModelChain
  readonly clock: Clock
  readonly isBehind: (path: string) => boolean
  /** How far it is behind, at the moment. @default 3 */
  readonly blocksBehind?: () => number
  /** Alters an answer. */
  readonly altered?: (path: string, text: string) => string
}): Client {
  const { model, clock, isBehind, blocksBehind = () => 3, altered = (_, text) => text } = parameters
  const { transport } = model.clientOf(clock)
  return createClient({
    apiUrl: 'http://127.0.0.1:1/api/v1',
    clock,
    randomness: () => 0.5,
    retry: { maxAttempts: 1 },
    transport: {
      request: (request) => {
        model.faults.lag = isBehind(request.path) ? blocksBehind() : 0
        const answered = transport.request(request)
        model.faults.lag = 0
        return answered.then((answer) => ({ ...answer, text: altered(request.path, answer.text) }))
      },
    },
  })
}
