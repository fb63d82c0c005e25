import {
  decryptWallet,
  type PaymentSummary,
  signIn,
  type Wallet,
  walletFromPrivateKey,
} from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { keystoreError } from '@hailstone/protocol'
import type { AccountFacts } from './account-list.ts'
import type { AccountRecord, AccountRules } from './account-record.ts'
import type { Prepared, SecretFacts } from './account-setup.ts'
import type { SignInAnswer } from './answer-sign-in.ts'
import type { AccountState, SetupStep, TabLock } from './engine-state.ts'
import type { BrowserVault } from './keystore.ts'
import type { PasskeyBox, PasskeyRequest, PasskeySecret } from './passkey-box.ts'
import { type ConsentProof, proveConsent } from './payment-consent.ts'
import { openWords, type SealedWords, sealWords } from './sealed-words.ts'
import type { SignInRequest } from './sign-in-request.ts'
import type { Storage } from './storage.ts'

/** A passphrase, or the secret that the device keeps: of a passkey, or in packages of fingerprint or face. */
export type Opening = string | PasskeySecret['secret']

/**
 * Returns a check that rejects with the reason of `signal` if the asker has left. Messages that came while a key was being
 * derived are taken first: scrypt lets none in.
 */
const checkOf = (signal: AbortSignal | undefined) => async (): Promise<void> => {
  if (signal === undefined) return
  await new Promise((resolve) => setTimeout(resolve))
  signal.throwIfAborted()
}

/** Waits for work on a secret. What it gives is dropped if the asker has left meanwhile. @throws as `checkOf` */
async function still<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  const value = await work
  await checkOf(signal)()
  return value
}

/**
 * The accounts of this browser, of which one is active: all calls mean that one unless they name another. Until a passphrase is set, key and recovery phrase exist only in the memory of this
 * worker. From then on only their encrypted forms are stored; the decrypted key stays in the memory of each worker in
 * whose tab the passphrase was entered, until it is locked. A call with a signal that is aborted before the call has
 * its effect has none, and rejects with the signal's reason.
 */
export type AccountStore = {
  readonly state: () => Promise<AccountState>
  /** Returns the address of the active account; null without an account. */
  readonly address: () => Promise<Address | null>
  /** True if an account is stored, active or not. */
  readonly isKnown: (address: Address) => Promise<boolean>
  /** Lists the accounts, the active one first. */
  readonly accounts: () => Promise<readonly AccountFacts[]>
  /**
   * Makes another account active and opens it in this tab.
   *
   * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong
   */
  readonly activate: (address: Address, passphrase: string, signal?: AbortSignal) => Promise<void>
  readonly rename: (address: Address, name: string) => Promise<void>
  /**
   * Removes an account, active or not, also the last one. If it is active, another one, if there is any, becomes active.
   *
   * @throws as `activate`
   */
  readonly removeAccount: (address: Address, passphrase: string, signal?: AbortSignal) => Promise<void>
  /** Lock state of this tab. */
  readonly tabLock: () => Promise<TabLock>
  /** Returns the wallet; null while this tab is locked or there is no account. */
  readonly wallet: () => Promise<Wallet | null>
  /** Creates an account, or reads the one of `text`, and holds it in memory until `seal`. Stores nothing. */
  readonly prepare: (text?: string, signal?: AbortSignal) => Promise<void>
  /** Drops the prepared account from memory. */
  readonly dropPrepared: () => Promise<void>
  /** Reads the account of a keystore file and holds it in memory until `seal`. @throws as `activate` */
  readonly prepareFile: (text: string, passphrase: string, signal?: AbortSignal) => Promise<void>
  /**
   * Encrypts the prepared account with a passphrase, stores it and makes it active. If `signal` is aborted while it is
   * being stored, it is locked.
   *
   * @throws {NodeError} where there is an account already: `KEYSTORE_UNLOCK_FAILED` if the passphrase is not the one of
   *   the active account, `KEYSTORE_EXISTS` if the prepared account is stored already
   */
  readonly seal: (passphrase: string, signal?: AbortSignal) => Promise<void>
  /** Stores the prepared account unencrypted. @throws {Error} if the brand does not allow that */
  readonly storeUnprotected: () => Promise<void>
  /**
   * Returns the recovery phrase; null if the account has no phrase, or the passphrase is needed.
   *
   * @param passphrase if omitted, only a phrase that is being backed up in this tab is returned
   * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED`
   */
  readonly words: (passphrase?: string, signal?: AbortSignal) => Promise<readonly string[] | null>
  /** Drops the recovery phrase from memory. */
  readonly coverWords: () => Promise<void>
  /** True if the words at these positions (from 1) are right; the account is then marked as backed up. */
  readonly answerQuiz: (
    answers: readonly { readonly position: number; readonly word: string }[],
  ) => Promise<boolean>
  readonly setStep: (step: SetupStep) => Promise<void>
  readonly inspect: (text: string) => Promise<SecretFacts>
  /** Imports a keystore file. */
  readonly importFile: (text: string, passphrase: string, signal?: AbortSignal) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong or the passkey opens nothing */
  readonly unlock: (opening: Opening, signal?: AbortSignal) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong */
  readonly verify: (passphrase: string, signal?: AbortSignal) => Promise<void>
  /** Returns a proof that passphrase or passkey were used for this payment. @throws as `unlock` */
  readonly consent: (summary: PaymentSummary, opening: Opening, signal?: AbortSignal) => Promise<ConsentProof>
  /** Signs the answer to a partner's page, once. A request that the brand does not know is not signed. @throws as `unlock` */
  readonly signIn: (request: SignInRequest, opening: Opening, signal?: AbortSignal) => Promise<SignInAnswer>
  /** Returns what to ask the device for; null without a passkey. */
  readonly passkey: () => Promise<PasskeyRequest | null>
  /**
   * Encrypts the key a second time, for a passkey.
   *
   * @throws as `verify`, and if the brand has no passkeys, there is one already, or the account was removed meanwhile
   */
  readonly addPasskey: (passphrase: string, passkey: PasskeySecret, signal?: AbortSignal) => Promise<void>
  /** Removes what a passkey opens. The passphrase stays. @throws {Error} if another account is active */
  readonly removePasskey: (address: Address) => Promise<void>
  /** Drops the key from memory. */
  readonly lock: () => Promise<void>
  /** Locks this tab until the passphrase is entered again. A worker that mines keeps the key in memory. */
  readonly cover: () => Promise<void>
  /** Returns the private key. @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` */
  readonly exportKey: (passphrase: string, signal?: AbortSignal) => Promise<string>
  /** Returns the encrypted keystore file. */
  readonly exportFile: () => Promise<string>
  /** Removes the active account during its first run. @throws {Error} if it is another one, or its first run is done */
  readonly forget: (address: Address) => Promise<void>
}

const RECORD = 'account'
const WORDS = 'sealedWords'
const UNPROTECTED = 'unprotected'
const PASSKEY = 'passkey'
const PARKED = 'parked'
const OUTDATED = 'outdated'
const MOVED = 'Another account has become active.'

/** The code for several accounts and that for making one are loaded on first use. */
const list = () => import('./account-list.ts')
const setup = () => import('./account-setup.ts')

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
  /** Repairs what a version with one account left, which may still run in another tab. */
  async function settle(): Promise<void> {
    if ((await storage.get(PARKED)) !== undefined)
      await (await list()).settleAccounts(storage, rules.mayHavePasskey)
  }
  await settle()
  const record = (): Promise<AccountRecord | undefined> => storage.get<AccountRecord>(RECORD)
  let opened: Wallet | null = null
  /** Account to store; null again once its record is written. */
  let prepared: Prepared | null = null
  /** Recovery phrase during its backup, and whose it is. */
  let draft: { readonly address: Address; readonly words: string } | null = null
  let isCovered = false

  async function found(): Promise<AccountRecord> {
    const kept = await record()
    if (kept === undefined) throw new Error('There is no account.')
    return kept
  }

  /** Changes the record of an account, unless another has become active. */
  async function change(address: Address, part: Partial<AccountRecord>): Promise<void> {
    await storage.swap([RECORD], (values) => {
      const before = values[RECORD] as AccountRecord | undefined
      return before?.address === address ? { [RECORD]: { ...before, ...part } } : {}
    })
  }

  function drop(): void {
    opened = null
    draft = null
    prepared = null
    isCovered = false
  }

  async function wallet(): Promise<Wallet | null> {
    const kept = await record()
    // Another tab removed the account, or made another one active.
    if (opened !== null && kept?.address !== opened.address) drop()
    if (kept === undefined || kept.isSealed) return opened
    const unprotected = await storage.get<Unprotected>(UNPROTECTED)
    return unprotected === undefined ? null : walletFromPrivateKey(unprotected.privateKey)
  }

  async function state(): Promise<AccountState> {
    if ((await record()) === undefined) await settle()
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

  async function storedWords(by: Wallet): Promise<typeof draft> {
    const { address } = by
    if (!(await found()).isSealed) {
      const words = (await storage.get<Unprotected>(UNPROTECTED))?.words ?? null
      return words === null ? null : { address, words }
    }
    const box = await storage.get<SealedWords>(WORDS)
    return box === undefined ? null : { address, words: await openWords(by, box) }
  }

  const afterBackup = (): SetupStep => (rules.hasAgentStep ? 'agent' : 'done')

  function takePrepared(): Prepared {
    if (prepared === null) throw new Error('There is no account to store: begin again.')
    return prepared
  }

  /** Takes a stored account into use in this tab. */
  function take({ wallet: stored, words }: Prepared, isSealed: boolean): void {
    prepared = null
    opened = isSealed ? stored : null
    isCovered = false
    draft = words === null ? null : { address: stored.address, words }
  }

  async function remove(address: Address, passphrase: string | null, signal?: AbortSignal): Promise<void> {
    await (await list()).removeAccount(parameters, address, passphrase, checkOf(signal))
    if ((opened ?? draft)?.address === address) drop()
  }

  return {
    state,
    wallet,
    address: async () => (await record())?.address ?? null,
    isKnown: async (address) => (await (await list()).findRecord(storage, address)) !== undefined,
    accounts: async () => (await list()).listAccounts(storage),
    activate: async (address, passphrase, signal) => {
      const wallet = await (await list()).activateAccount(parameters, address, passphrase, checkOf(signal))
      drop()
      opened = signal?.aborted ? null : wallet
    },
    rename: async (address, name) => (await list()).renameAccount(storage, address, name),
    removeAccount: remove,
    tabLock: async () => {
      // First, since it drops the key of an account that another tab removed.
      const key = await wallet()
      const kept = await record()
      if (kept === undefined || !kept.isSealed) return 'open'
      if (key === null) return 'locked'
      return isCovered ? 'covered' : 'open'
    },
    prepare: async (text, signal) => {
      const { prepareAccount } = await setup()
      prepared = await still(signal, prepareAccount(text, walletFromPrivateKey))
    },
    dropPrepared: async () => {
      prepared = null
    },
    prepareFile: async (text, password, signal) => {
      const { wallet } = await still(signal, decryptWallet({ text, password }))
      prepared = { wallet, words: null, isNew: false }
    },
    seal: async (password, signal) => {
      const next = takePrepared()
      const { sealAccount } = await setup()
      const tools = { ...parameters, keystoreError, sealWords, check: checkOf(signal) }
      await sealAccount(tools, next, password, await record())
      if (signal?.aborted) drop()
      else take(next, true)
    },
    storeUnprotected: async () => {
      if (!rules.mayStayUnprotected) throw new Error('This app stores keys behind a passphrase only.')
      const next = takePrepared()
      const privateKey = next.wallet.exportPrivateKey()
      const unprotected: Unprotected = { privateKey, words: next.words }
      await (await setup()).beginAccount(parameters, next, false, { [UNPROTECTED]: unprotected })
      take(next, false)
    },
    words: async (passphrase, signal) => {
      const { address, isSealed } = await found()
      if (passphrase !== undefined || !isSealed)
        draft = await still(signal, openedBy(passphrase ?? '').then(storedWords))
      return draft?.address === address ? draft.words.split(' ') : null
    },
    coverWords: async () => {
      draft = null
    },
    answerQuiz: async (answers) => {
      const { address, words: phrase } = draft ?? { address: null, words: '' }
      const words = phrase.split(' ')
      const isRight = answers.every(({ position, word }) => words[position - 1] === word.trim().toLowerCase())
      const positions = new Set(answers.map(({ position }) => position))
      if (!isRight || positions.size < 3 || address === null) return false
      draft = null
      const isSetUp = (await found()).step === 'done'
      await change(address, { isBackedUp: true, ...(isSetUp ? {} : { step: afterBackup() }) })
      return true
    },
    setStep: async (step) => {
      if (step !== 'words' && step !== 'quiz') draft = null
      const address = opened?.address ?? (await record())?.address
      if (address !== undefined) await change(address, { step })
    },
    inspect: async (text) => (await setup()).inspectSecret(text, walletFromPrivateKey),
    importFile: async (text, passphrase, signal) => {
      if ((await record()) !== undefined) throw new Error('There is an account already.')
      const wallet = await vault.importText({ text, password: passphrase })
      try {
        await checkOf(signal)()
      } catch (error) {
        await vault.remove({ address: wallet.address })
        throw error
      }
      const next: Prepared = { wallet, words: null, isNew: false }
      await (await setup()).beginAccount(parameters, next, true, {})
      take(next, true)
    },
    unlock: async (opening, signal) => {
      const next = await openedByAny(opening)
      const { step, isSealed } = await found()
      if (!isSealed) return
      // An interrupted first run continues with its backup.
      const words = step === 'words' || step === 'quiz' ? await storedWords(next) : null
      await checkOf(signal)()
      draft = words ?? draft
      opened = next
      isCovered = false
    },
    verify: async (passphrase, signal) => {
      await still(signal, openedBy(passphrase))
    },
    consent: async (summary, opening, signal) =>
      proveConsent(await still(signal, openedByAny(opening)), summary),
    signIn: async (request, opening, signal) => {
      const wallet = await openedByAny(opening)
      const { answerSignIn } = await import('./answer-sign-in.ts')
      await checkOf(signal)()
      return answerSignIn(request, { wallet, pages: rules.signInPages, storage, sign: signIn })
    },
    passkey: async () => (await storage.get<PasskeyBox>(PASSKEY)) ?? null,
    addPasskey: async (passphrase, passkey, signal) => {
      const { storeBox } = await import('./passkey-box.ts')
      const open = () => still(signal, openedBy(passphrase))
      await storeBox(passkey, { open, storage, names: [PASSKEY, RECORD], rules })
    },
    removePasskey: async (address) => {
      await storage.swap([RECORD], ({ [RECORD]: kept }) => {
        if ((kept as AccountRecord | undefined)?.address !== address) throw new Error(MOVED)
        return { [PASSKEY]: undefined }
      })
    },
    lock: async () => drop(),
    cover: async () => {
      draft = null
      prepared = null
      isCovered = opened !== null
    },
    exportKey: async (passphrase, signal) => (await still(signal, openedBy(passphrase))).exportPrivateKey(),
    exportFile: async () => vault.readText({ address: (await found()).address }),
    forget: (address) => remove(address, null),
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
