import type { Address } from '@hailstone/mining-node'
import { vaultMemory } from '../../../../packages/client/src/web/vault-memory.ts'
import type { MemoryChange } from '../engine/account-memory.ts'

/** Returns the accounts whose keys this browser has stored, even if it has deleted them since. */
export const rememberedAccounts = (vaultName: string): readonly Address[] => vaultMemory(vaultName).read()

/** Applies a worker's change to the current list, which other tabs may have changed too. */
export function changeRemembered(vaultName: string, { added, removed }: MemoryChange): void {
  const memory = vaultMemory(vaultName)
  const kept = memory.read().filter((address) => !removed.includes(address))
  memory.write([...new Set([...kept, ...added])])
  forgetActivity(removed)
}

/** Removes the payments that were kept for accounts which leave this device. The code is loaded for that alone. */
function forgetActivity(removed: MemoryChange['removed']): void {
  if (removed.length === 0) return
  void import('./kept-activity.ts').then(
    ({ forgetActivity: forget }) => {
      for (const address of removed) forget(address)
    },
    () => undefined,
  )
}
