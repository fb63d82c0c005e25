import type { MiningSnapshot } from '@hailstone/mining-node'
import { useSyncExternalStore } from 'react'
import { useMiningParts } from './mining-provider.ts'

/** Everything the node knows; the component is drawn again at every change. */
export function useSnapshot(): MiningSnapshot {
  const { node } = useMiningParts()
  return useSyncExternalStore(node.subscribe, node.snapshot, node.snapshot)
}
