import { createWallet, decryptWallet, encryptWallet, type Wallet } from '@hailstone/client'
import { describe, expect, it } from 'vitest'
import { type AccountStore, openAccountStore } from './account-store.ts'
import type { BrowserVault } from './keystore.ts'
import type { Storage } from './storage.ts'

const PASSPHRASE = 'correct horse battery'
const rules = { mayStayUnprotected: false, hasAgentStep: true }

/** Opens a store with its values in memory. The wallet is read around each write, as the leading tab may do. */
async function openStore() {
  const values = new Map<string, unknown>()
  const texts = new Map<string, string>()
  let account: AccountStore | null = null
  const look = async (): Promise<void> => void (await account?.wallet())
  const storage: Storage = {
    get: async <T>(name: string) => values.get(name) as T | undefined,
    set: async (name, value) => {
      await look()
      values.set(name, value)
      await look()
    },
    remove: async (name) => {
      await look()
      values.delete(name)
    },
  }
  const vault = {
    lost: [],
    save: async ({ wallet, password }: { wallet: Wallet; password: string }) => {
      texts.set(wallet.address, await encryptWallet({ wallet, password }))
    },
    importText: async ({ text, password }: { text: string; password: string }) =>
      (await decryptWallet({ text, password })).wallet,
  } as unknown as BrowserVault
  account = await openAccountStore({ storage, vault, rules })
  return { account, values }
}

describe('an account that is read while it is stored', () => {
  it('stays open after an import of its key, so that the first run goes on', async () => {
    const { account } = await openStore()
    await account.prepare(createWallet().exportPrivateKey())
    await account.seal(PASSPHRASE)
    expect(await account.tabLock()).toBe('open')
    expect(await account.state()).toMatchObject({ status: 'setup', step: 'agent' })
  })

  it('keeps the new words that are to be written down', async () => {
    const { account } = await openStore()
    await account.prepare()
    await account.seal(PASSPHRASE)
    expect(await account.words()).toHaveLength(12)
  })

  it('stays open after an import of a keystore file', async () => {
    const { account } = await openStore()
    const text = await encryptWallet({ wallet: createWallet(), password: PASSPHRASE })
    await account.importFile(text, PASSPHRASE)
    expect(await account.tabLock()).toBe('open')
  })

  it('is dropped from memory when another tab removed it', async () => {
    const { account, values } = await openStore()
    await account.prepare()
    await account.seal(PASSPHRASE)
    values.delete('account')
    expect(await account.wallet()).toBeNull()
  })
})
