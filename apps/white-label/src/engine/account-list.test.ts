import { createWallet, encryptWallet, type Wallet, walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { keystoreError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { type AccountStore, openAccountStore } from './account-store.ts'
import type { BrowserVault } from './keystore.ts'
import type { Storage } from './storage.ts'

const PASSPHRASE = 'correct horse battery'
const rules = {
  ...{ mayStayUnprotected: false, hasAgentStep: true, mayHavePasskey: true, mayHaveSeveral: true },
  signInPages: [],
}
const refused = expect.objectContaining({ code: 'KEYSTORE_UNLOCK_FAILED' })

/**
 * Storage of a browser, and pages that are killed before one of their writes. The vault compares passphrases instead of
 * deriving keys from them, since these tests open it some hundred times; `account-store.gate.test.ts` has real keystores.
 */
function createDevice() {
  const values = new Map<string, unknown>()
  const keys = new Map<string, { readonly key: string; readonly password: string }>()

  /** Opens a page. @param writes number of writes before the page is killed */
  async function open(given: Partial<typeof rules> = {}, writes = Number.POSITIVE_INFINITY) {
    let left = writes
    const write = <T>(act: () => T): T => {
      if (left-- <= 0) throw new Error('killed')
      return act()
    }
    const other = { tab: async (): Promise<void> => undefined }
    const storage: Storage = {
      get: async <T>(name: string) => values.get(name) as T | undefined,
      set: async (name, value) => void write(() => values.set(name, value)),
      remove: async (name) => void write(() => values.delete(name)),
      swap: async (names, act) => {
        const before = Object.fromEntries(names.map((name) => [name, values.get(name)]))
        const changes = Object.entries(act(before))
        if (changes.length === 0) return before
        write(() => {
          for (const [name, value] of changes)
            if (value === undefined) values.delete(name)
            else values.set(name, value)
        })
        return before
      },
    }
    const vault = {
      lost: [],
      save: async ({ wallet, password }: { wallet: Wallet; password: string }) =>
        void write(() => keys.set(wallet.address, { key: wallet.exportPrivateKey(), password })),
      unlock: async ({ address, password }: { address: Address; password: string }) => {
        const found = keys.get(address)
        if (found?.password !== password) throw keystoreError('KEYSTORE_UNLOCK_FAILED', { address })
        await other.tab()
        return walletFromPrivateKey(found.key)
      },
      remove: async ({ address }: { address: string }) => void write(() => keys.delete(address)),
    } as unknown as BrowserVault
    return { account: await openAccountStore({ storage, vault, rules: { ...rules, ...given } }), other }
  }
  return { values, keys, open }
}

type Device = ReturnType<typeof createDevice>

/** Stores what the engine keeps for the account that is active. */
function mark({ values }: Device, name: string): void {
  values.set('agent', `agent of ${name}`)
  values.set('policy', { of: name })
  values.set('log', [name])
  values.set('passkey', { credentialId: name, salt: name, sealed: name })
}

async function add(account: AccountStore, wallet?: Wallet): Promise<Address> {
  await account.prepare(wallet?.exportPrivateKey())
  await account.seal(PASSPHRASE)
  await account.setStep('done')
  return (await account.address()) as Address
}

/** Makes a device with two accounts, of which the second one is active. */
async function twoAccounts() {
  const device = createDevice()
  const { account, other } = await device.open()
  const first = await add(account)
  mark(device, 'first')
  const second = await add(account)
  mark(device, 'second')
  return { device, account, other, first, second }
}

/** Expects of each account that is listed that it opens, and has its own words and values and no others. */
async function expectWhole(device: Device, names: Readonly<Record<string, string>>): Promise<void> {
  const { account } = await device.open()
  const listed = (await account.accounts()).map(({ address }) => address)
  expect(new Set(listed).size).toBe(listed.length)
  expect(await account.address()).toBe(listed[0] ?? null)
  for (const address of listed) {
    await account.activate(address, PASSPHRASE)
    expect((await account.wallet())?.address).toBe(address)
    const words = await account.words(PASSPHRASE)
    expect(words).toHaveLength(12)
    const name = names[address]
    const own = ['agent', 'policy', 'log', 'passkey'].map((value) => device.values.get(value))
    if (name === undefined) expect(own).toEqual([undefined, undefined, undefined, undefined])
    else {
      const box = { credentialId: name, salt: name, sealed: name }
      expect(own).toEqual([`agent of ${name}`, { of: name }, [name], box])
    }
  }
}

/** Runs an act in pages that are killed before their first, second … write, until one lives. Returns how many died. */
async function killedAtEachWrite(
  begin: () => Promise<Device>,
  act: (account: AccountStore) => Promise<unknown>,
  after: (device: Device) => Promise<void>,
): Promise<number> {
  for (let writes = 0; ; writes++) {
    const device = await begin()
    const { account } = await device.open({}, writes)
    const end = await act(account).then(
      () => 'done',
      (error: Error) => error.message,
    )
    await after(device)
    if (end === 'done') return writes
    expect(end).toBe('killed')
  }
}

describe('several accounts', () => {
  it('keep their values apart, and come back with them', async () => {
    const { device, account, first, second } = await twoAccounts()
    const facts = await account.accounts()
    expect(facts.map(({ address, isActive }) => [address, isActive])).toEqual([
      [second, true],
      [first, false],
    ])
    await expectWhole(device, { [first]: 'first', [second]: 'second' })
  })

  it('check 36: are whole, whenever a page is killed that adds one', async () => {
    let first: Address | undefined
    const begin = async () => {
      const device = createDevice()
      first = await add((await device.open()).account)
      mark(device, 'first')
      return device
    }
    const counts: number[] = []
    const died = await killedAtEachWrite(
      begin,
      async (account) => {
        await account.prepare()
        await account.seal(PASSPHRASE)
      },
      async (device) => {
        counts.push((await (await device.open()).account.accounts()).length)
        await expectWhole(device, { [first as string]: 'first' })
      },
    )
    expect(counts).toEqual([...Array.from({ length: died }, () => 1), 2])
    expect(died).toBe(2)
  })

  it('check 36: are whole, whenever a page is killed that makes another one active', async () => {
    let names: Record<string, string> = {}
    let target: Address | undefined
    const begin = async () => {
      const { device, first, second } = await twoAccounts()
      names = { [first]: 'first', [second]: 'second' }
      target = first
      return device
    }
    const died = await killedAtEachWrite(
      begin,
      (account) => account.activate(target as Address, PASSPHRASE),
      (device) => expectWhole(device, names),
    )
    expect(died).toBe(1)
  })

  it.each(['active', 'other'])(
    'leave the rest whole, whenever a page is killed that removes the %s one',
    async (which) => {
      let names: Record<string, string> = {}
      let [gone, stays] = ['', ''] as [string, string]
      const begin = async () => {
        const { device, first, second } = await twoAccounts()
        names = { [first]: 'first', [second]: 'second' }
        ;[gone, stays] = which === 'active' ? [second, first] : [first, second]
        return device
      }
      const died = await killedAtEachWrite(
        begin,
        (account) => account.removeAccount(gone as Address, PASSPHRASE),
        (device) => expectWhole(device, names),
      )
      expect(died).toBe(2)
      const { device, account } = await twoAccounts()
      const [active, parked] = (await account.accounts()).map(({ address }) => address) as [Address, Address]
      await account.removeAccount(which === 'active' ? active : parked, PASSPHRASE)
      expect([...device.keys.keys()]).toHaveLength(1)
      expect(stays).not.toBe('')
      await account.removeAccount((await account.address()) as Address, PASSPHRASE)
      expect(device.keys.size).toBe(0)
      expect([...device.values]).toEqual([])
      expect(await account.state()).toMatchObject({ status: 'none' })
    },
  )

  it('are neither added, changed nor removed with a wrong passphrase', async () => {
    const { device, account, first, second } = await twoAccounts()
    const before = structuredClone([...device.values])
    await account.prepare()
    for (const refusedCall of [
      account.seal('not the passphrase'),
      account.activate(first, 'not the passphrase'),
      account.removeAccount(first, 'not the passphrase'),
      account.removeAccount(second, 'not the passphrase'),
    ])
      await expect(refusedCall).rejects.toEqual(refused)
    expect([...device.values]).toEqual(before)
    expect(device.keys.size).toBe(2)
  })

  it('are all different: one that is here is not added again, active or not', async () => {
    const { device, account, first, second } = await twoAccounts()
    const before = structuredClone([...device.values])
    for (const address of [first, second]) {
      await account.prepare(device.keys.get(address)?.key)
      await expect(account.seal(PASSPHRASE)).rejects.toMatchObject({ code: 'KEYSTORE_EXISTS' })
    }
    expect([...device.values]).toEqual(before)
  })

  it('are refused where the brand has one, or the one that is there has no passphrase', async () => {
    for (const given of [{ mayHaveSeveral: false }, { mayStayUnprotected: true }]) {
      const { account } = await createDevice().open(given)
      await account.prepare()
      await (given.mayStayUnprotected ? account.storeUnprotected() : account.seal(PASSPHRASE))
      await account.prepare()
      await expect(account.seal(PASSPHRASE)).rejects.toThrow('No account can be added here.')
      await expect(account.importFile('{}', PASSPHRASE)).rejects.toThrow('There is an account already.')
      expect(await account.accounts()).toHaveLength(1)
    }
  })

  it('have one passphrase, also if one came from a file with another', async () => {
    const { device, account } = await twoAccounts()
    const wallet = createWallet()
    const file = await encryptWallet({ wallet, password: 'that of the file' })
    await expect(account.prepareFile(file, PASSPHRASE)).rejects.toEqual(refused)
    await account.prepareFile(file, 'that of the file')
    expect(device.keys.size).toBe(2)
    await account.seal(PASSPHRASE)
    expect(device.keys.get(wallet.address)?.password).toBe(PASSPHRASE)
    expect(await account.state()).toMatchObject({ status: 'setup', step: 'agent', address: wallet.address })
  })

  it('are not mixed up by a tab that has not heard of a change', async () => {
    const { device, account, first, second } = await twoAccounts()
    await account.words(PASSPHRASE)
    const words = (await account.words()) ?? []
    const elsewhere = (await device.open()).account
    await elsewhere.activate(first, PASSPHRASE)
    const before = structuredClone([...device.values])
    const answers = [1, 2, 3].map((position) => ({ position, word: words[position - 1] ?? '' }))
    await account.answerQuiz(answers)
    await account.setStep('words')
    expect([...device.values]).toEqual(before)
    expect(await account.wallet()).toBeNull()
    expect(await account.tabLock()).toBe('locked')
    expect(await account.address()).toBe(first)
    expect(second).not.toBe(first)
  })

  it('are not added beside an account that stopped being the active one while the passphrase was tried', async () => {
    const { device, account, other, first } = await twoAccounts()
    const elsewhere = (await device.open()).account
    other.tab = () => elsewhere.activate(first, PASSPHRASE)
    await account.prepare()
    await expect(account.seal(PASSPHRASE)).rejects.toThrow('changed meanwhile')
    expect(await account.accounts()).toHaveLength(2)
    expect(await account.address()).toBe(first)
  })

  it('are not removed by a second press of what starts the first run over', async () => {
    const { device, account, first } = await twoAccounts()
    await account.prepare()
    await account.seal(PASSPHRASE)
    const third = (await account.address()) as Address
    await account.activate(first, PASSPHRASE)
    // Its first run is not done, but it is not the active one.
    await expect(account.forget(third)).rejects.toThrow('changed meanwhile')
    await account.activate(third, PASSPHRASE)
    await account.forget(third)
    const before = structuredClone([...device.values])
    for (const address of [third, (await account.address()) as Address])
      await expect(account.forget(address)).rejects.toThrow('changed meanwhile')
    expect([...device.values]).toEqual(before)
    expect(device.keys.size).toBe(2)
    expect(await account.accounts()).toHaveLength(2)
  })

  it('are removed by their address, also if another has become active since the page showed it', async () => {
    const { device, account, first, second } = await twoAccounts()
    const elsewhere = (await device.open()).account
    await elsewhere.activate(first, PASSPHRASE)
    await account.removeAccount(second, PASSPHRASE)
    await expect(account.removeAccount(second, PASSPHRASE)).rejects.toThrow('changed meanwhile')
    expect([...device.keys.keys()]).toEqual([first])
    expect(await account.address()).toBe(first)
  })

  it('leave no key in the memory of a tab that only asks whether it is locked', async () => {
    const { device, account } = await twoAccounts()
    const [kept, keptRecord] = [device.values.get('parked'), device.values.get('account')]
    device.values.delete('account')
    device.values.delete('parked')
    expect(await account.tabLock()).toBe('open')
    device.values.set('account', keptRecord).set('parked', kept)
    expect(await account.tabLock()).toBe('locked')
  })

  it('keep their passkeys when one is removed that the page showed before', async () => {
    const { device, account, first, second } = await twoAccounts()
    await account.activate(first, PASSPHRASE)
    await expect(account.removePasskey(second)).rejects.toThrow('has become active')
    expect(device.values.get('passkey')).toMatchObject({ credentialId: 'first' })
    await account.removePasskey(first)
    expect(device.values.has('passkey')).toBe(false)
  })

  it('are not stored any more once the tab was covered, or the page that adds one was left', async () => {
    const { account } = await twoAccounts()
    await account.prepare()
    await account.cover()
    await expect(account.seal(PASSPHRASE)).rejects.toThrow('begin again')
    await account.prepare()
    await account.dropPrepared()
    await expect(account.seal(PASSPHRASE)).rejects.toThrow('begin again')
    expect(await account.accounts()).toHaveLength(2)
  })

  it('come back while the app runs, if a tab with one account removes the active one', async () => {
    const { device, account, first } = await twoAccounts()
    device.values.delete('account')
    expect(await account.state()).toMatchObject({ status: 'locked', address: first })
    expect(await account.address()).toBe(first)
  })

  it('have names of at most 40 characters', async () => {
    const { account, first, second } = await twoAccounts()
    await account.rename(first, '  Savings ')
    await account.rename(second, 'x'.repeat(50))
    const names = async () => (await account.accounts()).map(({ name }) => name)
    expect(await names()).toEqual(['x'.repeat(40), 'Savings'])
    await account.activate(first, PASSPHRASE)
    await account.rename(second, ' ')
    expect(await names()).toEqual(['Savings', null])
  })

  it('survive a version that knows one account: what it removes makes room for another', async () => {
    const { device, first } = await twoAccounts()
    // What that version removes. It leaves agent, policy and log.
    for (const name of ['account', 'sealedWords', 'unprotected', 'passkey']) device.values.delete(name)
    await expectWhole(device, { [first]: 'first' })
    expect(device.values.has('parked')).toBe(false)
  })

  it('survive a version that knows one account and stores one of them a second time', async () => {
    const { device, first } = await twoAccounts()
    const parked = device.values.get('parked') as { values: Record<string, unknown> }[]
    for (const [name, value] of Object.entries(parked[0]?.values ?? {})) device.values.set(name, value)
    mark(device, 'again')
    const { account } = await device.open()
    expect((await account.accounts()).map(({ address }) => address)).toEqual([first])
    await expectWhole(device, { [first]: 'again' })
  })

  it('lose their passkeys in a build whose brand has none', async () => {
    const { device, first, second } = await twoAccounts()
    const { account } = await device.open({ mayHavePasskey: false })
    for (const address of [first, second]) {
      await account.activate(address, PASSPHRASE)
      expect(await account.passkey()).toBeNull()
    }
  })
})
