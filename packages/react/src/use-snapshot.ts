import type { MiningSnapshot } from '@hailstone/mining-node'
import { useSyncExternalStore } from 'react'
import { useMiningParts } from './mining-provider.ts'

/** Returns the node's snapshot and re-renders after every change. */
export function useSnapshot(): MiningSnapshot {
  const { node } = useMiningParts()
  return useSyncExternalStore(node.subscribe, node.snapshot, node.snapshot)
}
