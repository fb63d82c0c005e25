import { type Address, isAddress, isNodeError, keystoreError, parseAddress } from '@hailstone/protocol'
import { decryptWallet } from '../wallet/decrypt-wallet.ts'
import { encryptWallet } from '../wallet/encrypt-wallet.ts'
import type {
  ChangePasswordParameters,
  SaveWalletParameters,
  UnlockWalletParameters,
} from '../wallet/unlocked-wallet.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { openVaultDatabase, type VaultDatabase } from './vault-database.ts'
import { type VaultMemory, vaultMemory } from './vault-memory.ts'

/** Parameters of {@link openBrowserVault}. */
export type OpenBrowserVaultParameters = {
  /** Of the database. @default 'hailstone-vault' */
  readonly name?: string | undefined
}

type OfAccount = { readonly address: Address }

/** Encrypted private keys in this browser, several accounts in one vault. */
export type BrowserVault = {
  /**
   * Accounts that were saved here and are gone: the browser dropped its database. They come back by importing a
   * backup or a recovery phrase, and can be watched meanwhile. Empty is no proof: a browser may drop every trace.
   */
  readonly lost: readonly Address[]
  /** Accounts whose keys are in this vault. */
  readonly list: () => Promise<readonly Address[]>
  /** Resolves to true if the browser promised to keep the data when space runs short. */
  readonly isPersistent: () => Promise<boolean>
  /**
   * Encrypts and stores a key, over an older one of the same account, and asks the browser to keep it.
   *
   * @throws {NodeError} `KEYSTORE_WRITE_FAILED`, `PASSWORD_REFUSED`, `VAULT_UNAVAILABLE`
   */
  readonly save: (parameters: SaveWalletParameters) => Promise<void>
  /**
   * Opens a key, and encrypts it again when its parameters are weaker than today's.
   *
   * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` for a wrong password, `KEYSTORE_MISSING`, `KEYSTORE_MALFORMED`
   */
  readonly unlock: (parameters: OfAccount & UnlockWalletParameters) => Promise<Wallet>
  /** The encrypted text, to be kept elsewhere as a backup. Needs no password. */
  readonly readText: (parameters: OfAccount) => Promise<string>
  /** Stores an encrypted text, after it was opened once. */
  readonly importText: (parameters: {
    /** Text of a keystore, as `readText` returns it. */
    readonly text: string
    /** The one that the text was encrypted with. */
    readonly password: string
  }) => Promise<Wallet>
  /** Encrypts the key under another password. */
  readonly changePassword: (parameters: OfAccount & ChangePasswordParameters) => Promise<void>
  /** Forgets a key for good. Make sure there is a backup: nobody else has it. */
  readonly remove: (parameters: OfAccount) => Promise<void>
  /** Closes the database. The keys stay in it. */
  readonly close: () => void
}

/**
 * Opens the vault of this browser (IndexedDB). The same origin sees it in every tab and worker.
 *
 * @throws {NodeError} `VAULT_UNAVAILABLE` in private windows of some browsers, `KEYSTORE_VERSION_UNKNOWN`
 */
export async function openBrowserVault(parameters: OpenBrowserVaultParameters = {}): Promise<BrowserVault> {
  const { name = 'hailstone-vault' } = Object(parameters) as OpenBrowserVaultParameters
  return openVault(name, vaultMemory(name))
}

/**
 * Opens a vault with a memory of its own. A worker passes one that its page stores.
 *
 * @throws as {@link openBrowserVault}
 */
export const openVault = async (name: string, memory: VaultMemory): Promise<BrowserVault> =>
  vaultOver({ name, memory, database: await openVaultDatabase(name) })

/** Creates the vault over an open database. */
export async function vaultOver(parameters: {
  readonly name: string
  readonly memory: VaultMemory
  readonly database: VaultDatabase
}): Promise<BrowserVault> {
  const { name, memory, database } = parameters
  const list = async (): Promise<readonly Address[]> => (await database.addresses()).filter(isAddress)
  const present = await list()
  const lost = memory.read().filter((address) => !present.includes(address))

  const remember = async (forgotten?: Address): Promise<void> => {
    const all = new Set([...memory.read(), ...(await list())])
    if (forgotten !== undefined) all.delete(forgotten)
    memory.write([...all])
  }

  const textOf = async (given: Address): Promise<string> => {
    const address = parseAddress(given)
    const text = await database.read(address)
    if (text === undefined) throw keystoreError('KEYSTORE_MISSING', { place: `${name}/${address}` })
    return text
  }

  const store = async (address: Address, text: string): Promise<void> => {
    await database.write({ address, text })
    await remember()
    await askToKeep()
  }

  const open = async ({ address, password, ecdsa }: OfAccount & UnlockWalletParameters) => {
    const text = await textOf(address)
    const { wallet, isOutdated } = await decryptWallet({ text, password, ecdsa })
    assertAddress(wallet, address)
    return { text, wallet, isOutdated }
  }

  const unlock: BrowserVault['unlock'] = async (given) => {
    const { text, wallet, isOutdated } = await open(given)
    if (isOutdated) {
      const { address, password } = given
      const next = await encryptWallet({ wallet, password })
      // When another page was quicker, what it wrote is as good; when space is short, the older text stays.
      await database.write({ address, text: next, expected: text }).catch(ignoreWriteFault)
    }
    return wallet
  }

  const changePassword: BrowserVault['changePassword'] = async (given) => {
    const { address, newPassword, derivation } = given
    const { text, wallet } = await open(given)
    const next = await encryptWallet({ wallet, password: newPassword, derivation })
    const isWritten = await database.write({ address, text: next, expected: text })
    if (!isWritten) throw keystoreError('KEYSTORE_LOCKED', { path: name, processId: null })
  }

  return Object.freeze({
    lost,
    list,
    isPersistent,
    save: async (given: SaveWalletParameters) => {
      const text = await encryptWallet(given)
      await store(given.wallet.address, text)
    },
    unlock,
    readText: ({ address }: OfAccount) => textOf(address),
    importText: async ({ text, password }: { readonly text: string; readonly password: string }) => {
      const { wallet } = await decryptWallet({ text, password })
      await store(wallet.address, text)
      return wallet
    },
    changePassword,
    remove: async ({ address }: OfAccount) => {
      // Another page may have stored it, and a memory that passes on changes can only remove what it knows.
      await remember()
      await database.write({ address, text: undefined })
      await remember(address)
    },
    close: database.close,
  })
}

/** The key under one account's name must be that account's: names in a database are not authenticated. */
function assertAddress(wallet: Wallet, address: Address): void {
  if (wallet.address === address) return
  throw keystoreError('KEYSTORE_ADDRESS_DIFFERS', { stated: address, found: wallet.address })
}

function ignoreWriteFault(error: unknown): boolean {
  if (isNodeError(error, 'KEYSTORE_WRITE_FAILED')) return false
  throw error
}

/** Some browsers ask their user, some decide by themselves, workers cannot ask at all. */
async function askToKeep(): Promise<void> {
  if (await isPersistent()) return
  await navigator.storage?.persist?.().catch(() => false)
}

const isPersistent = async (): Promise<boolean> =>
  (await navigator.storage?.persisted?.().catch(() => false)) ?? false
