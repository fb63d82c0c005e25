import type { MiningSnapshot } from '@hailstone/mining-node'
import { useMiningParts } from './mining-provider.ts'
import { useSnapshot } from './use-snapshot.ts'

export type Miner = Pick<
  MiningSnapshot,
  'address' | 'tokenId' | 'state' | 'publications' | 'api' | 'warnings' | 'height' | 'lastError'
> & {
  /** A signature has left on the present connection: the only state that may be called mining. */
  readonly isMining: boolean
  /** Started and not stopped, whatever stands in the way. */
  readonly isRunning: boolean
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Where mining stands, why, and how to start and stop it. */
export function useMiner(): Miner {
  const { node } = useMiningParts()
  const { address, tokenId, state, publications, api, warnings, height, lastError } = useSnapshot()
  const isMining = state.status === 'mining'
  const isRunning = state.status !== 'idle' && state.status !== 'stopped'
  const { start, stop } = node
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
