import {
  createWallet,
  decryptWallet,
  encryptWallet,
  type PaymentSummary,
  type Wallet,
} from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { describe, expect, it } from 'vitest'
import { type AccountStore, openAccountStore } from './account-store.ts'
import type { BrowserVault } from './keystore.ts'
import type { PasskeyBox } from './passkey-box.ts'
import type { Storage } from './storage.ts'

const PASSPHRASE = 'correct horse battery'
const rules = {
  ...{ mayStayUnprotected: false, hasAgentStep: true, mayHavePasskey: true, mayHaveSeveral: false },
  signInPages: ['https://shop.example/signed-in'],
}

/** Opens a store with its values in memory. The wallet is read around each write, as the leading tab may do. */
async function openStore(
  values = new Map<string, unknown>(),
  given = rules,
  texts = new Map<string, string>(),
) {
  /** Does what another tab does while the passphrase is tried here. */
  const other = { tab: (): void => undefined }
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
    swap: async (names, act) => {
      await look()
      const before = Object.fromEntries(names.map((name) => [name, values.get(name)]))
      for (const [name, value] of Object.entries(act(before)))
        if (value === undefined) values.delete(name)
        else values.set(name, value)
      await look()
      return before
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
    unlock: async ({ address, password }: { address: string; password: string }) => {
      const { wallet } = await decryptWallet({ text: texts.get(address) ?? '', password })
      other.tab()
      return wallet
    },
    readText: async ({ address }: { address: string }) => texts.get(address),
    remove: async ({ address }: { address: string }) => void texts.delete(address),
  } as unknown as BrowserVault
  account = await openAccountStore({ storage, vault, rules: given })
  return { account, values, texts, other }
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

describe('a secret whose asker leaves while the passphrase is tried', () => {
  /** Opens a locked account with words. Its asker leaves during the next derivation of a key. */
  async function openAsked() {
    const opened = await openStore()
    const { account, other } = opened
    await account.prepare()
    await account.seal(PASSPHRASE)
    await account.setStep('done')
    await account.lock()
    const asker = new AbortController()
    // The derivation lets no message in: that of the asker is taken after it.
    other.tab = () => void setTimeout(() => asker.abort())
    return { ...opened, signal: asker.signal }
  }
  const dropped = expect.objectContaining({ name: 'AbortError' })

  it('is neither kept nor given', async () => {
    const calls = {
      words: (account: AccountStore, signal: AbortSignal) => account.words(PASSPHRASE, signal),
      exportKey: (account: AccountStore, signal: AbortSignal) => account.exportKey(PASSPHRASE, signal),
      unlock: (account: AccountStore, signal: AbortSignal) => account.unlock(PASSPHRASE, signal),
      verify: (account: AccountStore, signal: AbortSignal) => account.verify(PASSPHRASE, signal),
      consent: (account: AccountStore, signal: AbortSignal) => account.consent(summary, PASSPHRASE, signal),
      addPasskey: (account: AccountStore, signal: AbortSignal) =>
        account.addPasskey(PASSPHRASE, passkey(), signal),
      removeAccount: async (account: AccountStore, signal: AbortSignal) =>
        account.removeAccount((await account.address()) as Address, PASSPHRASE, signal),
      activate: async (account: AccountStore, signal: AbortSignal) =>
        account.activate((await account.address()) as Address, PASSPHRASE, signal),
    }
    for (const [name, call] of Object.entries(calls)) {
      const { account, values, signal } = await openAsked()
      await expect(call(account, signal), name).rejects.toEqual(dropped)
      expect(await account.words(), name).toBeNull()
      expect(await account.wallet(), name).toBeNull()
      expect(values.has('passkey'), name).toBe(false)
    }
  })

  it('is not prepared', async () => {
    const { account } = await openStore()
    const signal = AbortSignal.abort()
    await expect(account.prepare(undefined, signal)).rejects.toEqual(dropped)
    const text = await encryptWallet({ wallet: createWallet(), password: PASSPHRASE })
    await expect(account.prepareFile(text, PASSPHRASE, signal)).rejects.toEqual(dropped)
    await expect(account.importFile(text, PASSPHRASE, signal)).rejects.toEqual(dropped)
    await expect(account.seal(PASSPHRASE)).rejects.toThrow('There is no account to store')
    expect(await account.address()).toBeNull()
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

  it('stores nothing for an account that another tab removed or replaced while the passphrase was tried', async () => {
    for (const instead of [undefined, createWallet().address]) {
      const { account, values, other } = await openWithPasskey()
      await account.removePasskey((await account.address()) as Address)
      other.tab = () => {
        if (instead === undefined) values.delete('account')
        else values.set('account', { ...(values.get('account') as object), address: instead })
      }
      await expect(account.addPasskey(PASSPHRASE, passkey())).rejects.toThrow('changed meanwhile')
      expect(values.has('passkey')).toBe(false)
    }
  })

  it('keeps the one of two passkeys that is stored first, and refuses the other', async () => {
    const { account, values } = await openWithPasskey()
    await account.removePasskey((await account.address()) as Address)
    const both = await Promise.allSettled([1, 2].map(() => account.addPasskey(PASSPHRASE, passkey())))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const before = values.get('passkey')
    await expect(account.addPasskey(PASSPHRASE, passkey())).rejects.toThrow('a passkey already')
    expect(values.get('passkey')).toBe(before)
    await account.unlock(SECRET.slice())
  })

  it('leaves no secret in memory when there is no account to open', async () => {
    const { account } = await openStore()
    const secret = SECRET.slice()
    await expect(account.unlock(secret)).rejects.toThrow('There is no account.')
    expect(secret).toEqual(new Uint8Array(32))
  })

  it('loses it in a build whose brand has no passkeys, and gets no other', async () => {
    const { values, texts } = await openWithPasskey()
    const without = await openStore(values, { ...rules, mayHavePasskey: false }, texts)
    expect(values.has('passkey')).toBe(false)
    await expect(without.account.unlock(SECRET.slice())).rejects.toEqual(refusal)
    await expect(without.account.consent(summary, SECRET.slice())).rejects.toEqual(refusal)
    await expect(without.account.addPasskey(PASSPHRASE, passkey())).rejects.toThrow('no passkeys')
    expect(values.has('passkey')).toBe(false)
    await without.account.unlock(PASSPHRASE)
    expect(await without.account.tabLock()).toBe('open')
  })

  it('opens by the passphrase alone once the passkey is removed', async () => {
    const { account, values } = await openWithPasskey()
    await account.removePasskey((await account.address()) as Address)
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
    await account.removeAccount((await account.address()) as Address, PASSPHRASE)
    expect(values.has('passkey')).toBe(false)
    await account.importFile(file, PASSPHRASE)
    expect(await account.passkey()).toBeNull()
  })
})
