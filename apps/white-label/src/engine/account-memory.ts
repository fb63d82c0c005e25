import type { Address } from '@hailstone/mining-node'
import type { VaultMemory } from './keystore.ts'

/** Changes to the list of accounts that is kept outside the databases, which the browser may delete. */
export type MemoryChange = { readonly added: readonly Address[]; readonly removed: readonly Address[] }

/**
 * Creates the vault's memory for a worker. Workers have no local storage, so each change is sent to the page, which merges
 * it with those of other tabs.
 *
 * @param remembered accounts in the page's memory when the worker started
 * @param tell called with each change
 */
export function accountMemory(
  remembered: readonly Address[],
  tell: (change: MemoryChange) => void,
): VaultMemory {
  let known = remembered
  return {
    read: () => known,
    write: (addresses) => {
      const added = addresses.filter((address) => !known.includes(address))
      const removed = known.filter((address) => !addresses.includes(address))
      known = addresses
      if (added.length + removed.length > 0) tell({ added, removed })
    },
  }
}
