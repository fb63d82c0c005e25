import { createAccountWatch } from '@hailstone/mining-node/watch'
import type { AccountNode, AccountNodeParameters } from './account-node.ts'

/** A node of an app that does not mine: starting it changes nothing. */
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
