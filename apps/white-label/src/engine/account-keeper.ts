import { type Wallet, walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { deviceBox } from './device-box.ts'
import type { AccountState, SetupStep } from './engine-state.ts'
import { openBrowserVault } from './keystore.ts'
import type { Storage } from './storage.ts'

/** What is stored about the account, without any secret in the clear. */
type AccountRecord = {
  readonly address: Address
  readonly step: SetupStep
  readonly isNew: boolean
  readonly isBackedUp: boolean
  /** Whether the key is stored behind a passphrase. */
  readonly isSealed: boolean
}

/** What a person typed to import an account, and what it is. */
export type SecretFacts = { readonly kind: 'words' | 'key'; readonly address: Address }

/** The account of this browser: its first run, its vault, and the key while it is open. */
export type AccountKeeper = {
  readonly state: () => Promise<AccountState>
  /** Null while it is locked or there is none. */
  readonly wallet: () => Promise<Wallet | null>
  /** Makes an account and keeps its words until they are backed up. */
  readonly create: () => Promise<void>
  /** Words that are not backed up yet. */
  readonly words: () => Promise<readonly string[] | null>
  /** Whether the words at these positions (from 1) are right. Passing marks the account as backed up. */
  readonly answerQuiz: (
    answers: readonly { readonly position: number; readonly word: string }[],
  ) => Promise<boolean>
  readonly setStep: (step: SetupStep) => Promise<void>
  readonly inspect: (text: string) => Promise<SecretFacts>
  readonly importSecret: (text: string) => Promise<void>
  /** Takes a keystore file. */
  readonly importFile: (text: string, passphrase: string) => Promise<void>
  /** Stores the key behind a passphrase. */
  readonly seal: (passphrase: string) => Promise<void>
  readonly unlock: (passphrase: string) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` when it is not the passphrase */
  readonly verify: (passphrase: string) => Promise<void>
  readonly hasPassphrase: () => Promise<boolean>
  readonly lock: () => Promise<void>
  /** The secret itself. @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` */
  readonly exportKey: (passphrase: string) => Promise<string>
  /** The encrypted file, which needs the passphrase to be opened. */
  readonly exportFile: () => Promise<string>
  readonly forget: () => Promise<void>
}

const RECORD = 'account'

export async function openAccountKeeper(storage: Storage, vaultName: string): Promise<AccountKeeper> {
  const key = deviceBox(storage, 'key')
  const draft = deviceBox(storage, 'words')
  const vault = await openBrowserVault({ name: vaultName })
  const record = (): Promise<AccountRecord | undefined> => storage.get<AccountRecord>(RECORD)

  async function change(part: Partial<AccountRecord>): Promise<void> {
    const before = await record()
    if (before !== undefined) await storage.set(RECORD, { ...before, ...part })
  }

  type Beginning = Pick<AccountRecord, 'step' | 'isNew' | 'isBackedUp' | 'isSealed'>

  async function begin(wallet: Wallet, facts: Beginning): Promise<void> {
    await key.put(wallet.exportPrivateKey())
    await storage.set(RECORD, { address: wallet.address, ...facts } satisfies AccountRecord)
  }

  async function state(): Promise<AccountState> {
    const found = await record()
    if (found === undefined) return { status: 'none', lost: vault.lost }
    const { address, step, isNew, isBackedUp } = found
    if (step !== 'done') return { status: 'setup', step, address, isNew }
    const isOpen = (await key.open()) !== undefined
    return { status: isOpen ? 'open' : 'locked', address, isBackedUp }
  }

  async function address(): Promise<Address> {
    const found = await record()
    if (found === undefined) throw new Error('There is no account.')
    return found.address
  }

  const hasPassphrase = async (): Promise<boolean> => (await record())?.isSealed ?? false

  async function keptWallet(): Promise<Wallet | null> {
    const privateKey = await key.open()
    return privateKey === undefined ? null : walletFromPrivateKey(privateKey)
  }

  /** An app without a passphrase, where its brand allows that, opens for whoever holds the device. */
  async function opened(passphrase: string): Promise<Wallet> {
    if (await hasPassphrase()) return vault.unlock({ address: await address(), password: passphrase })
    const wallet = await keptWallet()
    if (wallet === null) throw new Error('There is no stored key.')
    return wallet
  }

  const isPhrase = (text: string): boolean => /\s/.test(text.trim())

  async function walletOfText(text: string): Promise<Wallet> {
    if (!isPhrase(text)) return walletFromPrivateKey(text.trim().toLowerCase())
    const { walletFromMnemonic } = await import('@hailstone/client/mnemonic')
    return walletFromMnemonic(text)
  }

  return {
    state,
    wallet: keptWallet,
    create: async () => {
      const { createMnemonic, walletFromMnemonic } = await import('@hailstone/client/mnemonic')
      const words = createMnemonic()
      await draft.put(words)
      await begin(walletFromMnemonic(words), {
        step: 'words',
        isNew: true,
        isBackedUp: false,
        isSealed: false,
      })
    },
    words: async () => (await draft.open())?.split(' ') ?? null,
    answerQuiz: async (answers) => {
      const words = (await draft.open())?.split(' ') ?? []
      const isRight = answers.every(({ position, word }) => words[position - 1] === word.trim().toLowerCase())
      if (!isRight || answers.length < 3) return false
      await draft.clear()
      const isSetUp = (await record())?.step === 'done'
      await change({ isBackedUp: true, ...(isSetUp ? {} : { step: 'lock' }) })
      return true
    },
    setStep: (step) => change({ step }),
    inspect: async (text) => {
      const { address: found } = await walletOfText(text)
      return { kind: isPhrase(text) ? 'words' : 'key', address: found }
    },
    importSecret: async (text) =>
      begin(await walletOfText(text), { step: 'lock', isNew: false, isBackedUp: true, isSealed: false }),
    importFile: async (text, passphrase) => {
      const wallet = await vault.importText({ text, password: passphrase })
      await begin(wallet, { step: 'agent', isNew: false, isBackedUp: true, isSealed: true })
    },
    seal: async (passphrase) => {
      const wallet = await keptWallet()
      if (wallet === null) throw new Error('There is no key to store.')
      await vault.save({ wallet, password: passphrase })
      await change({ isSealed: true, ...((await record())?.step === 'lock' ? { step: 'agent' } : {}) })
    },
    unlock: async (passphrase) => key.put((await opened(passphrase)).exportPrivateKey()),
    verify: async (passphrase) => {
      await opened(passphrase)
    },
    hasPassphrase,
    lock: async () => {
      if (await hasPassphrase()) await key.clear()
    },
    exportKey: async (passphrase) => (await opened(passphrase)).exportPrivateKey(),
    exportFile: async () => vault.readText({ address: await address() }),
    forget: async () => {
      const found = await record()
      await key.clear()
      await draft.clear()
      await storage.remove(RECORD)
      if (found !== undefined) await vault.remove({ address: found.address })
    },
  }
}
