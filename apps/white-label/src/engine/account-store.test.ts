import {
  createWallet,
  decryptWallet,
  encryptWallet,
  type PaymentSummary,
  type Wallet,
} from '@hailstone/client'
import { describe, expect, it } from 'vitest'
import { type AccountStore, openAccountStore } from './account-store.ts'
import type { BrowserVault } from './keystore.ts'
import type { PasskeyBox } from './passkey-box.ts'
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
    importText: async ({ text, password }: { text: string; password: string }) => {
      const { wallet } = await decryptWallet({ text, password })
      texts.set(wallet.address, text)
      return wallet
    },
    unlock: async ({ address, password }: { address: string; password: string }) =>
      (await decryptWallet({ text: texts.get(address) ?? '', password })).wallet,
    readText: async ({ address }: { address: string }) => texts.get(address),
    remove: async ({ address }: { address: string }) => void texts.delete(address),
  } as unknown as BrowserVault
  account = await openAccountStore({ storage, vault, rules })
  return { account, values, texts }
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

const SECRET = new Uint8Array(32).fill(7)
const passkey = () => ({
  credentialId: new Uint8Array(16).fill(1),
  salt: new Uint8Array(32).fill(2),
  secret: SECRET.slice(),
})
const refusal = expect.objectContaining({ code: 'KEYSTORE_UNLOCK_FAILED' })
const summary = { signingHash: 'ab'.repeat(32) } as PaymentSummary

/** Stores an account with a passkey, and locks it. */
async function openWithPasskey() {
  const opened = await openStore()
  const { account } = opened
  await account.prepare(createWallet().exportPrivateKey())
  await account.seal(PASSPHRASE)
  await account.setStep('done')
  await account.addPasskey(PASSPHRASE, passkey())
  await account.lock()
  return opened
}

describe('an account with a passkey', () => {
  it('opens by passkey and by passphrase, with the same key', async () => {
    const { account } = await openWithPasskey()
    const addressAfter = async (unlocked: Promise<void>) => {
      await unlocked
      const found = (await account.wallet())?.address
      await account.lock()
      return found
    }
    const byPasskey = await addressAfter(account.unlock(SECRET.slice()))
    expect(byPasskey).toBeDefined()
    expect(await addressAfter(account.unlock(PASSPHRASE))).toBe(byPasskey)
  })

  it('gives the same proof for a payment by passkey as by passphrase', async () => {
    const { account } = await openWithPasskey()
    expect(await account.consent(summary, SECRET.slice())).toBe(await account.consent(summary, PASSPHRASE))
    await expect(account.consent(summary, new Uint8Array(32))).rejects.toEqual(refusal)
  })

  it('takes no passkey without the passphrase, and shows no secret to a passkey', async () => {
    const { account, values } = await openWithPasskey()
    const before = values.get('passkey')
    await expect(account.addPasskey('not the passphrase', passkey())).rejects.toEqual(refusal)
    expect(values.get('passkey')).toBe(before)
    const bytes = SECRET.slice() as unknown as string
    await expect(account.exportKey(bytes)).rejects.toThrow()
    await expect(account.words(bytes)).rejects.toThrow()
    await expect(account.verify(bytes)).rejects.toThrow()
    await expect(account.addPasskey(bytes, passkey())).rejects.toThrow()
  })

  it('keeps the passkey when the passphrase changes', async () => {
    const { account, texts } = await openWithPasskey()
    await account.unlock(PASSPHRASE)
    const wallet = (await account.wallet()) as Wallet
    texts.set(wallet.address, await encryptWallet({ wallet, password: 'another passphrase' }))
    await account.lock()
    await expect(account.unlock(PASSPHRASE)).rejects.toEqual(refusal)
    await account.unlock(SECRET.slice())
    expect((await account.wallet())?.address).toBe(wallet.address)
  })

  it('opens by the passphrase alone once the passkey is removed', async () => {
    const { account, values } = await openWithPasskey()
    await account.removePasskey()
    expect(await account.passkey()).toBeNull()
    expect(values.has('passkey')).toBe(false)
    await expect(account.unlock(SECRET.slice())).rejects.toEqual(refusal)
    await account.unlock(PASSPHRASE)
    expect(await account.tabLock()).toBe('open')
  })

  it('has nothing of the passkey in its backup file, and leaves nothing when it is forgotten', async () => {
    const { account, values } = await openWithPasskey()
    const file = await account.exportFile()
    const { credentialId, salt, sealed } = values.get('passkey') as PasskeyBox
    for (const part of [credentialId, salt, new Uint8Array(sealed)])
      expect(file).not.toContain(Buffer.from(part).toString('hex'))
    expect(file).not.toContain('passkey')
    await account.forget()
    expect(values.has('passkey')).toBe(false)
    await account.importFile(file, PASSPHRASE)
    expect(await account.passkey()).toBeNull()
  })
})
