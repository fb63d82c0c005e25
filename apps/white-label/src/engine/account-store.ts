import { type PaymentSummary, type Wallet, walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { keystoreError } from '@hailstone/protocol'
import type { AccountState, SetupStep, TabLock } from './engine-state.ts'
import type { BrowserVault } from './keystore.ts'
import type { PasskeyBox, PasskeyRequest, PasskeySecret } from './passkey-box.ts'
import { type ConsentProof, proveConsent } from './payment-consent.ts'
import { openWords, type SealedWords, sealWords } from './sealed-words.ts'
import type { Storage } from './storage.ts'

/** Stored public data of the account. */
type AccountRecord = {
  readonly address: Address
  readonly step: SetupStep
  readonly isNew: boolean
  readonly isBackedUp: boolean
  /** True if the key is stored in the vault, behind a passphrase; false if it is stored unprotected. */
  readonly isSealed: boolean
  /** True if an earlier version stored the key without protection before it was sealed. */
  readonly wasExposed?: boolean
}

/** Kind and address of a typed private key or recovery phrase. */
type SecretFacts = { readonly kind: 'words' | 'key'; readonly address: Address }

/** A passphrase, or the secret of the passkey that was set up. */
export type Opening = string | PasskeySecret['secret']

/**
 * The account of this browser. Until a passphrase is set, key and recovery phrase exist only in the memory of this
 * worker. From then on only their encrypted forms are stored; the decrypted key stays in the memory of each worker in
 * whose tab the passphrase was entered, until it is locked.
 */
export type AccountStore = {
  readonly state: () => Promise<AccountState>
  /** Lock state of this tab. */
  readonly tabLock: () => Promise<TabLock>
  /** Returns the wallet; null while this tab is locked or there is no account. */
  readonly wallet: () => Promise<Wallet | null>
  /** Creates an account, or reads the one of `text`, and holds it in memory until `seal`. Stores nothing. */
  readonly prepare: (text?: string) => Promise<void>
  /** Encrypts the prepared account with a passphrase and stores it. */
  readonly seal: (passphrase: string) => Promise<void>
  /** Stores the prepared account unencrypted. @throws {Error} if the brand does not allow that */
  readonly storeUnprotected: () => Promise<void>
  /**
   * Returns the recovery phrase; null if there is none or the passphrase is needed.
   *
   * @param passphrase if omitted, only a phrase that is being backed up in this tab is returned
   * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED`
   */
  readonly words: (passphrase?: string) => Promise<readonly string[] | null>
  /** Drops the recovery phrase from memory. */
  readonly coverWords: () => Promise<void>
  /** True if the words at these positions (from 1) are right; the account is then marked as backed up. */
  readonly answerQuiz: (
    answers: readonly { readonly position: number; readonly word: string }[],
  ) => Promise<boolean>
  readonly setStep: (step: SetupStep) => Promise<void>
  readonly inspect: (text: string) => Promise<SecretFacts>
  /** Imports a keystore file. */
  readonly importFile: (text: string, passphrase: string) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong or the passkey opens nothing */
  readonly unlock: (opening: Opening) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong */
  readonly verify: (passphrase: string) => Promise<void>
  /** Returns a proof that passphrase or passkey were used for this payment. @throws as `unlock` */
  readonly consent: (summary: PaymentSummary, opening: Opening) => Promise<ConsentProof>
  /** Returns what to ask the device for; null without a passkey. */
  readonly passkey: () => Promise<PasskeyRequest | null>
  /**
   * Encrypts the key a second time, for a passkey.
   *
   * @throws as `verify`, and if the brand has no passkeys, there is one already, or the account was removed meanwhile
   */
  readonly addPasskey: (passphrase: string, passkey: PasskeySecret) => Promise<void>
  /** Removes what a passkey opens. The passphrase stays. */
  readonly removePasskey: () => Promise<void>
  /** Drops the key from memory. */
  readonly lock: () => Promise<void>
  /** Locks this tab until the passphrase is entered again. A worker that mines keeps the key in memory. */
  readonly cover: () => Promise<void>
  /** Returns the private key. @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` */
  readonly exportKey: (passphrase: string) => Promise<string>
  /** Returns the encrypted keystore file. */
  readonly exportFile: () => Promise<string>
  readonly forget: () => Promise<void>
}

export type AccountRules = {
  /** True if the key may be stored without a passphrase: the token has no value and the brand allows it. */
  readonly mayStayUnprotected: boolean
  /** True if the first run asks for a referral agent after the backup. */
  readonly hasAgentStep: boolean
  /** False if the brand has no passkeys: one that was set up in an earlier build is removed. */
  readonly mayHavePasskey: boolean
}

/** An account that is not stored yet. */
type Prepared = { readonly wallet: Wallet; readonly words: string | null; readonly isNew: boolean }

const RECORD = 'account'
const WORDS = 'sealedWords'
const UNPROTECTED = 'unprotected'
const PASSKEY = 'passkey'
const OUTDATED = 'outdated'

/** Names under which an early version stored key and phrase beside the key that decrypts them. */
const EARLY_BOXES = ['key', 'words'] as const

type Unprotected = { readonly privateKey: string; readonly words: string | null }

export async function openAccountStore(parameters: {
  readonly storage: Storage
  readonly vault: BrowserVault
  readonly rules: AccountRules
}): Promise<AccountStore> {
  const { storage, vault, rules } = parameters
  await removeEarlyBoxes(storage)
  if (!rules.mayHavePasskey) await storage.remove(PASSKEY)
  const record = (): Promise<AccountRecord | undefined> => storage.get<AccountRecord>(RECORD)
  let opened: Wallet | null = null
  /** Account to store; null again once its record is written. */
  let prepared: Prepared | null = null
  /** Recovery phrase during its backup. */
  let draft: string | null = null
  let isCovered = false

  async function found(): Promise<AccountRecord> {
    const kept = await record()
    if (kept === undefined) throw new Error('There is no account.')
    return kept
  }

  async function change(part: Partial<AccountRecord>): Promise<void> {
    const before = await record()
    if (before !== undefined) await storage.set(RECORD, { ...before, ...part })
  }

  function drop(): void {
    opened = null
    draft = null
    prepared = null
    isCovered = false
  }

  async function wallet(): Promise<Wallet | null> {
    const kept = await record()
    // Another tab removed or replaced the account. An account that is being stored has no record yet.
    if (opened !== null && prepared === null && kept?.address !== opened.address) drop()
    if (kept === undefined || kept.isSealed) return opened
    const unprotected = await storage.get<Unprotected>(UNPROTECTED)
    return unprotected === undefined ? null : walletFromPrivateKey(unprotected.privateKey)
  }

  async function state(): Promise<AccountState> {
    const kept = await record()
    if (kept === undefined) {
      const isOutdated = (await storage.get<boolean>(OUTDATED)) ?? false
      return { status: 'none', lost: vault.lost, isOutdated }
    }
    const { address, step, isNew, isBackedUp, isSealed, wasExposed = false } = kept
    if (step !== 'done') return { status: 'setup', step, address, isNew }
    const status = (await wallet()) === null ? 'locked' : 'open'
    return { status, address, isBackedUp, hasWords: isNew && !wasExposed, isSealed, wasExposed }
  }

  /** Verifies the passphrase and returns the wallet. An unprotected account opens with any passphrase. */
  async function openedBy(passphrase: string): Promise<Wallet> {
    const { address, isSealed } = await found()
    if (isSealed) return vault.unlock({ address, password: passphrase })
    const unprotected = await wallet()
    if (unprotected === null) throw new Error('There is no stored key.')
    return unprotected
  }

  /** Opens the account by passphrase or passkey. What shows secrets takes the passphrase alone. */
  async function openedByAny(opening: Opening): Promise<Wallet> {
    if (typeof opening === 'string') return openedBy(opening)
    try {
      const { openByPasskey } = await import('./passkey-box.ts')
      const { address } = await found()
      const key = await openByPasskey(address, await storage.get<PasskeyBox>(PASSKEY), opening)
      if (key === null) throw keystoreError('KEYSTORE_UNLOCK_FAILED', { address })
      return walletFromPrivateKey(key)
    } finally {
      opening.fill(0)
    }
  }

  async function storedWords(by: Wallet): Promise<string | null> {
    if (!(await found()).isSealed) return (await storage.get<Unprotected>(UNPROTECTED))?.words ?? null
    const box = await storage.get<SealedWords>(WORDS)
    return box === undefined ? null : openWords(by, box)
  }

  const isPhrase = (text: string): boolean => /\s/.test(text.trim())

  async function walletOfText(text: string): Promise<Wallet> {
    if (!isPhrase(text)) return walletFromPrivateKey(text.trim().toLowerCase())
    const { walletFromMnemonic } = await import('@hailstone/client/mnemonic')
    return walletFromMnemonic(text)
  }

  const afterBackup = (): SetupStep => (rules.hasAgentStep ? 'agent' : 'done')

  function takePrepared(): Prepared {
    if (prepared === null) throw new Error('There is no account to store: begin again.')
    return prepared
  }

  /** Writes the account record. It is written last: an interrupted setup leaves no account. */
  async function begin({ wallet: { address }, isNew }: Prepared, isSealed: boolean): Promise<void> {
    const step = isNew ? 'words' : afterBackup()
    await storage.remove(PASSKEY)
    await storage.set(RECORD, { address, step, isNew, isBackedUp: !isNew, isSealed } satisfies AccountRecord)
    await storage.remove(OUTDATED)
    prepared = null
  }

  return {
    state,
    wallet,
    tabLock: async () => {
      const kept = await record()
      if (kept === undefined || !kept.isSealed) return 'open'
      if ((await wallet()) === null) return 'locked'
      return isCovered ? 'covered' : 'open'
    },
    prepare: async (text) => {
      if (text !== undefined) {
        prepared = { wallet: await walletOfText(text), words: null, isNew: false }
        return
      }
      const { createMnemonic, walletFromMnemonic } = await import('@hailstone/client/mnemonic')
      const words = createMnemonic()
      prepared = { wallet: walletFromMnemonic(words), words, isNew: true }
    },
    seal: async (passphrase) => {
      const next = takePrepared()
      await vault.save({ wallet: next.wallet, password: passphrase })
      if (next.words === null) await storage.remove(WORDS)
      else await storage.set(WORDS, await sealWords(next.wallet, next.words))
      opened = next.wallet
      draft = next.words
      await begin(next, true)
    },
    storeUnprotected: async () => {
      if (!rules.mayStayUnprotected) throw new Error('This app stores keys behind a passphrase only.')
      const next = takePrepared()
      const privateKey = next.wallet.exportPrivateKey()
      await storage.set(UNPROTECTED, { privateKey, words: next.words } satisfies Unprotected)
      draft = next.words
      await begin(next, false)
    },
    words: async (passphrase) => {
      const kept = await found()
      if (passphrase !== undefined || !kept.isSealed)
        draft = await storedWords(await openedBy(passphrase ?? ''))
      return draft?.split(' ') ?? null
    },
    coverWords: async () => {
      draft = null
    },
    answerQuiz: async (answers) => {
      const words = draft?.split(' ') ?? []
      const isRight = answers.every(({ position, word }) => words[position - 1] === word.trim().toLowerCase())
      const positions = new Set(answers.map(({ position }) => position))
      if (!isRight || positions.size < 3) return false
      draft = null
      const isSetUp = (await found()).step === 'done'
      await change({ isBackedUp: true, ...(isSetUp ? {} : { step: afterBackup() }) })
      return true
    },
    setStep: async (step) => {
      if (step !== 'words' && step !== 'quiz') draft = null
      await change({ step })
    },
    inspect: async (text) => {
      const { address } = await walletOfText(text)
      return { kind: isPhrase(text) ? 'words' : 'key', address }
    },
    importFile: async (text, passphrase) => {
      const imported = await vault.importText({ text, password: passphrase })
      await storage.remove(WORDS)
      prepared = { wallet: imported, words: null, isNew: false }
      opened = imported
      await begin(prepared, true)
    },
    unlock: async (opening) => {
      const next = await openedByAny(opening)
      const { step, isSealed } = await found()
      if (!isSealed) return
      // An interrupted first run continues with its backup.
      if (step === 'words' || step === 'quiz') draft = await storedWords(next)
      opened = next
      isCovered = false
    },
    verify: async (passphrase) => {
      await openedBy(passphrase)
    },
    consent: async (summary, opening) => proveConsent(await openedByAny(opening), summary),
    passkey: async () => (await storage.get<PasskeyBox>(PASSKEY)) ?? null,
    addPasskey: async (passphrase, passkey) => {
      const { storeBox } = await import('./passkey-box.ts')
      await storeBox(passkey, { open: () => openedBy(passphrase), storage, names: [PASSKEY, RECORD], rules })
    },
    removePasskey: () => storage.remove(PASSKEY),
    lock: async () => drop(),
    cover: async () => {
      draft = null
      isCovered = opened !== null
    },
    exportKey: async (passphrase) => (await openedBy(passphrase)).exportPrivateKey(),
    exportFile: async () => vault.readText({ address: (await found()).address }),
    forget: async () => {
      const kept = await record()
      drop()
      await storage.remove(RECORD)
      await storage.remove(WORDS)
      await storage.remove(UNPROTECTED)
      await storage.remove(PASSKEY)
      if (kept?.isSealed) await vault.remove({ address: kept.address })
    },
  }
}

/**
 * Removes what an early version stored beside the key that decrypts it, which protected nothing. An account that also
 * has a vault stays and is marked as exposed.
 */
async function removeEarlyBoxes(storage: Storage): Promise<void> {
  const boxes = await Promise.all(EARLY_BOXES.map((name) => storage.get(name)))
  if (boxes.every((box) => box === undefined)) return
  const kept = await storage.get<AccountRecord>(RECORD)
  if (kept?.isSealed) await storage.set(RECORD, { ...kept, wasExposed: true })
  else {
    await storage.set(OUTDATED, true)
    await storage.remove(RECORD)
  }
  for (const name of EARLY_BOXES) await storage.remove(name)
}
