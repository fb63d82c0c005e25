import { decryptWallet, signIn, type Wallet, walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { keystoreError } from '@hailstone/protocol'
import type { AccountFacts } from './account-list.ts'
import type { AccountRecord, AccountRules } from './account-record.ts'
import type { Prepared, SecretFacts } from './account-setup.ts'
import type { SignInAnswer } from './answer-sign-in.ts'
import type { AccountState, SetupStep, TabLock } from './engine-state.ts'
import {
  accountStateOf,
  covered,
  type Draft,
  type Held,
  heldFor,
  isQuizPassed,
  NOTHING_HELD,
  type QuizAnswer,
  tabLockOf,
  taken,
  unlocked,
} from './held-account.ts'
import type { BrowserVault } from './keystore.ts'
import type { PasskeyBox, PasskeyRequest, PasskeySecret } from './passkey-box.ts'
import { type Agreement, type ConsentProof, proveConsent } from './payment-consent.ts'
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
 * The accounts of this browser, of which one is active. Calls concern the active one unless they name another. Until a
 * passphrase is set, key and recovery phrase exist only in the memory of this worker. From then on only their encrypted
 * forms are stored; the decrypted key stays in the memory of each worker in whose tab the passphrase was entered, until it
 * is locked. A call with a signal that is aborted before the call has its effect has none, and rejects with the signal's
 * reason.
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
  readonly answerQuiz: (answers: readonly QuizAnswer[]) => Promise<boolean>
  readonly setStep: (step: SetupStep) => Promise<void>
  readonly inspect: (text: string) => Promise<SecretFacts>
  /** Imports a keystore file. */
  readonly importFile: (text: string, passphrase: string, signal?: AbortSignal) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong or the passkey opens nothing */
  readonly unlock: (opening: Opening, signal?: AbortSignal) => Promise<void>
  /** @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong */
  readonly verify: (passphrase: string, signal?: AbortSignal) => Promise<void>
  /** Returns a proof that passphrase or passkey were used for this payment or rule of payouts. @throws as `unlock` */
  readonly consent: (summary: Agreement, opening: Opening, signal?: AbortSignal) => Promise<ConsentProof>
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

type Stores = {
  readonly storage: Storage
  readonly vault: BrowserVault
  readonly rules: AccountRules
}

/** The stored record, and the state that this tab holds in memory. All calls use both. */
type Account = Stores & {
  held: Held
  readonly record: () => Promise<AccountRecord | undefined>
  /** @throws {Error} without an account */
  readonly found: () => Promise<AccountRecord>
  readonly unprotected: () => Promise<Unprotected | undefined>
  readonly wallet: () => Promise<Wallet | null>
  /** Verifies the passphrase and returns the wallet. An unprotected account opens with any passphrase. */
  readonly openedBy: (passphrase: string) => Promise<Wallet>
}

function accountOf(stores: Stores): Account {
  const { storage, vault } = stores
  const record = () => storage.get<AccountRecord>(RECORD)
  const unprotected = () => storage.get<Unprotected>(UNPROTECTED)

  async function found(): Promise<AccountRecord> {
    const kept = await record()
    if (kept === undefined) throw new Error('There is no account.')
    return kept
  }

  async function wallet(): Promise<Wallet | null> {
    const kept = await record()
    own.held = heldFor(own.held, kept)
    if (kept === undefined || kept.isSealed) return own.held.wallet
    const stored = await unprotected()
    return stored === undefined ? null : walletFromPrivateKey(stored.privateKey)
  }

  async function openedBy(password: string): Promise<Wallet> {
    const { address, isSealed } = await found()
    if (isSealed) return vault.unlock({ address, password })
    const stored = await wallet()
    if (stored === null) throw new Error('There is no stored key.')
    return stored
  }

  const own: Account = { ...stores, held: NOTHING_HELD, record, found, unprotected, wallet, openedBy }
  return own
}

/** Opens the account by passphrase or passkey. What shows secrets takes the passphrase alone. */
async function openedByAny({ found, openedBy, storage }: Account, opening: Opening): Promise<Wallet> {
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

async function storedWords({ found, unprotected, storage }: Account, by: Wallet): Promise<Draft | null> {
  const { address } = by
  if (!(await found()).isSealed) {
    const words = (await unprotected())?.words ?? null
    return words === null ? null : { address, words }
  }
  const box = await storage.get<SealedWords>(WORDS)
  return box === undefined ? null : { address, words: await openWords(by, box) }
}

/** Changes the record of an account, unless another has become active. */
async function change({ storage }: Account, address: Address, part: Partial<AccountRecord>): Promise<void> {
  await storage.swap([RECORD], (values) => {
    const before = values[RECORD] as AccountRecord | undefined
    return before?.address === address ? { [RECORD]: { ...before, ...part } } : {}
  })
}

/** Repairs what a version with one account left, which may still run in another tab. */
async function settle({ storage, rules }: Stores): Promise<void> {
  if ((await storage.get(PARKED)) !== undefined)
    await (await list()).settleAccounts(storage, rules.mayHavePasskey)
}

async function remove(
  own: Account,
  address: Address,
  passphrase: string | null,
  signal?: AbortSignal,
): Promise<void> {
  await (await list()).removeAccount(own, address, passphrase, checkOf(signal))
  if ((own.held.wallet ?? own.held.draft)?.address === address) own.held = NOTHING_HELD
}

type Calls<Names extends keyof AccountStore> = Pick<AccountStore, Names>

/** Calls that list the stored accounts and change which one is active. */
const listCalls = (
  own: Account,
): Calls<
  | 'state'
  | 'address'
  | 'isKnown'
  | 'accounts'
  | 'activate'
  | 'rename'
  | 'removeAccount'
  | 'forget'
  | 'tabLock'
  | 'setStep'
> => ({
  state: async () => {
    if ((await own.record()) === undefined) await settle(own)
    const kept = await own.record()
    if (kept !== undefined) return accountStateOf(kept, (await own.wallet()) !== null)
    const isOutdated = (await own.storage.get<boolean>(OUTDATED)) ?? false
    return { status: 'none', lost: own.vault.lost, isOutdated }
  },
  address: async () => (await own.record())?.address ?? null,
  isKnown: async (address) => (await (await list()).findRecord(own.storage, address)) !== undefined,
  accounts: async () => (await list()).listAccounts(own.storage),
  activate: async (address, passphrase, signal) => {
    const wallet = await (await list()).activateAccount(own, address, passphrase, checkOf(signal))
    own.held = { ...NOTHING_HELD, wallet: signal?.aborted ? null : wallet }
  },
  rename: async (address, name) => (await list()).renameAccount(own.storage, address, name),
  removeAccount: (address, passphrase, signal) => remove(own, address, passphrase, signal),
  forget: (address) => remove(own, address, null),
  tabLock: async () => {
    // First, since it drops the key of an account that another tab removed.
    const hasKey = (await own.wallet()) !== null
    return tabLockOf(await own.record(), hasKey, own.held.isCovered)
  },
  setStep: async (step) => {
    if (step !== 'words' && step !== 'quiz') hold(own, { draft: null })
    const address = own.held.wallet?.address ?? (await own.record())?.address
    if (address !== undefined) await change(own, address, { step })
  },
})

function hold(own: Account, part: Partial<Held>): void {
  own.held = { ...own.held, ...part }
}

function preparedOf({ held: { prepared } }: Account): Prepared {
  if (prepared === null) throw new Error('There is no account to store: begin again.')
  return prepared
}

/** Calls that create or import an account and store it. */
const setupCalls = (
  own: Account,
): Calls<
  'prepare' | 'dropPrepared' | 'prepareFile' | 'seal' | 'storeUnprotected' | 'inspect' | 'importFile'
> => ({
  prepare: async (text, signal) => {
    const { prepareAccount } = await setup()
    const prepared = await still(signal, prepareAccount(text, walletFromPrivateKey))
    hold(own, { prepared })
  },
  dropPrepared: async () => hold(own, { prepared: null }),
  prepareFile: async (text, password, signal) => {
    const { wallet } = await still(signal, decryptWallet({ text, password }))
    hold(own, { prepared: { wallet, words: null, isNew: false } })
  },
  seal: async (password, signal) => {
    const next = preparedOf(own)
    const { sealAccount } = await setup()
    const tools = { ...own, keystoreError, sealWords, check: checkOf(signal) }
    await sealAccount(tools, next, password, await own.record())
    own.held = signal?.aborted ? NOTHING_HELD : taken(next, true)
  },
  storeUnprotected: async () => {
    if (!own.rules.mayStayUnprotected) throw new Error('This app stores keys behind a passphrase only.')
    const next = preparedOf(own)
    const unprotected: Unprotected = { privateKey: next.wallet.exportPrivateKey(), words: next.words }
    await (await setup()).beginAccount(own, next, false, { [UNPROTECTED]: unprotected })
    own.held = taken(next, false)
  },
  inspect: async (text) => (await setup()).inspectSecret(text, walletFromPrivateKey),
  importFile: async (text, password, signal) => {
    if ((await own.record()) !== undefined) throw new Error('There is an account already.')
    const wallet = await own.vault.importText({ text, password })
    try {
      await checkOf(signal)()
    } catch (error) {
      await own.vault.remove({ address: wallet.address })
      throw error
    }
    const next: Prepared = { wallet, words: null, isNew: false }
    await (await setup()).beginAccount(own, next, true, {})
    own.held = taken(next, true)
  },
})

/** Calls that decrypt a stored secret, or remove one from memory. */
const secretCalls = (
  own: Account,
): Omit<
  AccountStore,
  keyof ReturnType<typeof listCalls> | keyof ReturnType<typeof setupCalls> | 'wallet'
> => ({
  words: async (passphrase, signal) => {
    const { address, isSealed } = await own.found()
    if (passphrase !== undefined || !isSealed) {
      const opened = own.openedBy(passphrase ?? '')
      const draft = await still(
        signal,
        opened.then((by) => storedWords(own, by)),
      )
      hold(own, { draft })
    }
    const { draft } = own.held
    return draft?.address === address ? draft.words.split(' ') : null
  },
  coverWords: async () => hold(own, { draft: null }),
  answerQuiz: async (answers) => {
    const { draft } = own.held
    if (draft === null || !isQuizPassed(draft, answers)) return false
    hold(own, { draft: null })
    const step: SetupStep = own.rules.hasAgentStep ? 'agent' : 'done'
    const isSetUp = (await own.found()).step === 'done'
    await change(own, draft.address, { isBackedUp: true, ...(isSetUp ? {} : { step }) })
    return true
  },
  unlock: async (opening, signal) => {
    const next = await openedByAny(own, opening)
    const { step, isSealed } = await own.found()
    if (!isSealed) return
    // An interrupted first run continues with its backup.
    const draft = step === 'words' || step === 'quiz' ? await storedWords(own, next) : null
    await checkOf(signal)()
    own.held = unlocked(own.held, next, draft)
  },
  verify: async (passphrase, signal) => void (await still(signal, own.openedBy(passphrase))),
  consent: async (summary, opening, signal) =>
    proveConsent(await still(signal, openedByAny(own, opening)), summary),
  signIn: async (request, opening, signal) => {
    const wallet = await openedByAny(own, opening)
    const { answerSignIn } = await import('./answer-sign-in.ts')
    await checkOf(signal)()
    const { storage, rules } = own
    return answerSignIn(request, { wallet, pages: rules.signInPages, storage, sign: signIn })
  },
  passkey: async () => (await own.storage.get<PasskeyBox>(PASSKEY)) ?? null,
  addPasskey: async (passphrase, passkey, signal) => {
    const { storeBox } = await import('./passkey-box.ts')
    const open = () => still(signal, own.openedBy(passphrase))
    await storeBox(passkey, { open, storage: own.storage, names: [PASSKEY, RECORD], rules: own.rules })
  },
  removePasskey: async (address) => {
    await own.storage.swap([RECORD], ({ [RECORD]: kept }) => {
      if ((kept as AccountRecord | undefined)?.address !== address) throw new Error(MOVED)
      return { [PASSKEY]: undefined }
    })
  },
  lock: async () => {
    own.held = NOTHING_HELD
  },
  cover: async () => {
    own.held = covered(own.held)
  },
  exportKey: async (passphrase, signal) => (await still(signal, own.openedBy(passphrase))).exportPrivateKey(),
  exportFile: async () => own.vault.readText({ address: (await own.found()).address }),
})

export async function openAccountStore(stores: Stores): Promise<AccountStore> {
  await removeEarlyBoxes(stores.storage)
  if (!stores.rules.mayHavePasskey) await stores.storage.remove(PASSKEY)
  await settle(stores)
  const own = accountOf(stores)
  return { wallet: own.wallet, ...listCalls(own), ...setupCalls(own), ...secretCalls(own) }
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
