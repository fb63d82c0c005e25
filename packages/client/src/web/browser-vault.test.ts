import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { vaultOver } from './browser-vault.ts'

it('removes an account that another page has stored from the memory too', async () => {
  const address = `02${'a'.repeat(64)}` as Address
  const stored = new Set<Address>()
  const database = {
    addresses: async () => [...stored],
    read: async () => undefined,
    write: async () => stored.delete(address),
    close: () => {},
  }
  const written: (readonly Address[])[] = []
  const memory = {
    read: () => written.at(-1) ?? [],
    write: (addresses: readonly Address[]) => void written.push(addresses),
  }
  const vault = await vaultOver({ name: 'vault', memory, database })
  stored.add(address)
  await vault.remove({ address })
  // A memory that passes on changes alone has nothing to remove before it knows the account.
  expect(written).toStrictEqual([[address], []])
})
