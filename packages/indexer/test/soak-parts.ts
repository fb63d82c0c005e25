import { closeRandom } from './population.ts'
import type { Random } from './random.ts'
import type { TestChain } from './test-chain.ts'

/** Changes that the walk finds out, or that say nothing. What is taken on trust is not lied about. */
export const lies: readonly ((path: string, text: string) => { status?: number; text: string } | null)[] = [
  () => ({ status: 502, text: '' }),
  () => ({ status: 429, text: '{}' }),
  () => ({ text: '<!doctype html><title>busy</title>' }),
  (_, text) => ({ text: text.slice(0, text.length / 2) }),
  (path) => (path === '/height' ? { text: '{"height":2}' } : null),
  (path) => (path === '/height' ? { text: '{"height":1000000}' } : null),
  (path, text) =>
    path === '/macroblock_by_height' ? { text: text.replace(/"time":"?\d+"?/, '"time":2200000000') } : null,
  (path, text) =>
    path === '/macroblock_by_height'
      ? { text: text.replace(/"time":"?\d+"?/, '"time":8888888888888') }
      : null,
  (path, text) =>
    path === '/macroblock_by_height'
      ? { text: text.replace(/"mblocks":\[\{[^}]*\},?/, '"mblocks":[') }
      : null,
  (path, text) =>
    path === '/mblock' ? { text: text.replace(/"amount":"?\d+"?/, '"amount":7777777') } : null,
]

/** Seconds between two blocks of a soak. */
export const pauses = [15, 900, 3600, 40_000]

/** Lets blocks come, up to 50 of them after as many went. */
export async function move(chain: TestChain, random: Random): Promise<void> {
  const gone = random.below(4) === 0 ? Math.min(1 + random.below(50), chain.blocks.length - 5) : 0
  if (gone > 0) await chain.rewind(chain.blocks.length - gone)
  for (let left = gone + random.below(3); left > 0; left--) await closeRandom(chain, random, pauses)
}
