import { createAccountWatch } from '@hailstone/mining-node/watch'
import type { AccountNode, AccountNodeParameters } from './account-node.ts'

/** Creates a node for builds that do not mine: `start` and `stop` do nothing. */
export function createWatchOnlyNode({ wallet, ...parameters }: AccountNodeParameters): AccountNode {
  const watch = createAccountWatch({ ...parameters, address: wallet.address })
  const nothing = async (): Promise<void> => undefined
  return {
    ...watch,
    get state() {
      return watch.snapshot().state
    },
    start: nothing,
    stop: nothing,
  }
}
