import type { MiningSnapshot } from '@hailstone/mining-node'
import { useMemo } from 'react'
import { useMiningParts } from './mining-provider.ts'
import { useSnapshot } from './use-snapshot.ts'

/** Result of {@link useMiner}: state of the node, and its start and stop. */
export type Miner = Pick<
  MiningSnapshot,
  'address' | 'tokenId' | 'state' | 'publications' | 'api' | 'warnings' | 'height' | 'lastError'
> & {
  /** True after a signature has been sent on the current connection, the only state to be called mining. */
  readonly isMining: boolean
  /** True from `start` to `stop`, even if something prevents mining. */
  readonly isRunning: boolean
  /** Rejects over an account watch, which has nothing to start. */
  readonly start: () => Promise<void>
  /** Ends the session, as `stop` of the node. */
  readonly stop: () => Promise<void>
}

const WATCHES_ONLY = 'The <MiningProvider> was given an account watch, which does not mine.'

/**
 * Returns the mining state, its reason, and `start` and `stop`.
 *
 * @example
 * const { isRunning, state, start, stop } = useMiner()
 * return <button onClick={isRunning ? stop : start}>{isRunning ? 'Stop' : 'Mine'} {state.why}</button>
 */
export function useMiner(): Miner {
  const { node } = useMiningParts()
  const { address, tokenId, state, publications, api, warnings, height, lastError } = useSnapshot()
  const isMining = state.status === 'mining'
  const isRunning = state.status !== 'idle' && state.status !== 'stopped'
  const { start, stop } = useMemo(() => {
    if ('start' in node) return { start: () => node.start(), stop: () => node.stop() }
    return { start: () => Promise.reject(new Error(WATCHES_ONLY)), stop: () => Promise.resolve() }
  }, [node])
  return {
    address,
    tokenId,
    state,
    publications,
    api,
    warnings,
    height,
    lastError,
    isMining,
    isRunning,
    start,
    stop,
  }
}
