import { type Address, isAddress } from '@hailstone/protocol'

/**
 * Remembers outside the database which accounts it should have. A browser may drop the database and keep this, and
 * then it shows that keys are gone; when it drops both, nothing on the machine can tell. Workers have no local
 * storage.
 */
export type VaultMemory = {
  readonly read: () => readonly Address[]
  readonly write: (addresses: readonly Address[]) => void
}

export function vaultMemory(name: string): VaultMemory {
  const storage = storageOrNull()
  return {
    read: () => addressesIn(storage?.getItem(name) ?? ''),
    write: (addresses) => {
      try {
        storage?.setItem(name, addresses.join(' '))
      } catch {
        // Full, or forbidden: the keys themselves are stored, and this only helps to notice their loss.
      }
    },
  }
}

const addressesIn = (text: string): readonly Address[] => text.split(' ').filter(isAddress)

function storageOrNull(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    // Reading the property itself throws where pages may store nothing.
    return null
  }
}
