import type { Address } from '@hailstone/mining-node'
import type { AccountRecord } from './account-record.ts'
import type { BrowserVault } from './keystore.ts'
import type { PasskeyRequest } from './passkey-box.ts'
import type { Storage, Values } from './storage.ts'

// Imports no values: the bundler would make chunks of their own from what the engine shares with this one.

/**
 * Names of the values that belong to an account. Those of the active account are stored under these names, where each
 * part of the engine reads them; those of the others are kept together in one list. Becoming active is one transaction.
 */
const OWN = [
  'account',
  'accountName',
  'sealedWords',
  'unprotected',
  'passkey',
  'agent',
  'isAgentChosen',
  'policy',
  'payout',
  'isWanted',
  'lastSignedAtMs',
  'log',
  'remembered',
] as const

/** Values that say how the last run of the active account ended, which is over once another is active. */
const OF_THE_RUN = ['minedTime', 'lastLedMs'] as const

const PARKED = 'parked'
const EVERYTHING: readonly string[] = [...OWN, PARKED]

/** An account that is not active, with all that is stored of it but the key, which is in the vault. */
type Parked = { readonly address: Address; readonly values: Values }

type Stores = { readonly storage: Storage; readonly vault: BrowserVault }

/** An account of this browser, as the list of accounts shows it. */
export type AccountFacts = {
  readonly address: Address
  /** Null if the person gave it none. */
  readonly name: string | null
  readonly isActive: boolean
  readonly isBackedUp: boolean
  /** Null without a passkey. */
  readonly passkey: PasskeyRequest | null
}

const MAX_NAME = 40
const NOTHING: Values = Object.fromEntries([...OWN, ...OF_THE_RUN].map((name) => [name, undefined]))

const parkedIn = (values: Values): readonly Parked[] =>
  (values[PARKED] as readonly Parked[] | undefined) ?? []
const recordIn = (values: Values): AccountRecord | undefined => values.account as AccountRecord | undefined

/** The list with the active account in it. An account that an earlier version stored a second time is listed once. */
function withActive(values: Values): readonly Parked[] {
  const active = recordIn(values)
  if (active === undefined) return parkedIn(values)
  const own = OWN.filter((name) => values[name] !== undefined).map((name) => [name, values[name]] as const)
  const others = parkedIn(values).filter(({ address }) => address !== active.address)
  return [{ address: active.address, values: Object.fromEntries(own) }, ...others]
}

/** Values with one account of a list active and the others beside it; without any, nothing of an account. */
const activeOf = (next: Parked | undefined, all: readonly Parked[]): Values => {
  const others = all.filter(({ address }) => address !== next?.address)
  return { ...NOTHING, ...next?.values, [PARKED]: others.length === 0 ? undefined : others }
}

export async function listAccounts(storage: Storage): Promise<readonly AccountFacts[]> {
  const stored = await storage.swap(EVERYTHING, () => ({}))
  const active = recordIn(stored)?.address
  return withActive(stored).map(({ address, values }) => {
    const box = values.passkey as PasskeyRequest | undefined
    return {
      address,
      name: (values.accountName as string | undefined) ?? null,
      isActive: address === active,
      isBackedUp: recordIn(values)?.isBackedUp ?? false,
      passkey: box === undefined ? null : { credentialId: box.credentialId, salt: box.salt },
    }
  })
}

/** Returns the record of an account, active or not; undefined if it is not stored. */
export async function findRecord(storage: Storage, address: Address): Promise<AccountRecord | undefined> {
  const all = withActive(await storage.swap(EVERYTHING, () => ({})))
  const found = all.find((one) => one.address === address)
  return found && recordIn(found.values)
}

/**
 * Stores an account and makes it active.
 *
 * @param beside address of the account that is active, whose passphrase was verified
 * @throws {Error} if another account is active, or the new one is stored already
 */
export async function addAccount(
  storage: Storage,
  { record, words, beside }: { record: AccountRecord; words: unknown; beside: Address },
): Promise<void> {
  await storage.swap(EVERYTHING, (values) => {
    const all = withActive(values)
    if (recordIn(values)?.address !== beside || all.some(({ address }) => address === record.address))
      throw new Error('The accounts have changed meanwhile.')
    const added = { address: record.address, values: { account: record, sealedWords: words } }
    return activeOf(added, all)
  })
}

/**
 * Opens an account and makes it active. Returns its wallet; null without a passphrase.
 *
 * @param check called after the passphrase was tried; nothing is changed if it rejects
 * @throws {Error} if the passphrase is wrong, or the account was removed meanwhile
 */
export async function activateAccount(
  { storage, vault }: Stores,
  address: Address,
  password: string,
  check: () => Promise<void>,
) {
  const isSealed = (await findRecord(storage, address))?.isSealed
  const wallet = isSealed ? await vault.unlock({ address, password }) : null
  await check()
  await storage.swap(EVERYTHING, (values) => {
    if (recordIn(values)?.address === address) return {}
    const all = withActive(values)
    const next = all.find((one) => one.address === address)
    if (next === undefined) throw new Error('The accounts have changed meanwhile.')
    return activeOf(next, all)
  })
  return wallet
}

/**
 * Removes an account: first what is stored of it, then its key. If it is the active one, another becomes active.
 *
 * @param password null removes an account only if it is the active one and its first run is not done
 * @param check as of `activateAccount`
 * @throws {Error} if the passphrase is wrong, or the account is not what it has to be
 */
export async function removeAccount(
  { storage, vault }: Stores,
  address: Address,
  password: string | null,
  check: () => Promise<void>,
): Promise<void> {
  const isSealed = (await findRecord(storage, address))?.isSealed
  if (isSealed && password !== null) await vault.unlock({ address, password })
  await check()
  await storage.swap(EVERYTHING, (values) => {
    const all = withActive(values)
    const others = all.filter((one) => one.address !== address)
    const active = recordIn(values)
    const mayGo = password !== null || (active?.address === address && active.step !== 'done')
    if (!mayGo || others.length === all.length) throw new Error('The accounts have changed meanwhile.')
    return activeOf(others.find((one) => one.address === active?.address) ?? others[0], others)
  })
  if (isSealed) await vault.remove({ address })
}

/** Gives an account a name of at most 40 characters; an empty one takes it away. */
export async function renameAccount(storage: Storage, address: Address, name: string): Promise<void> {
  const accountName = [...name.trim()].slice(0, MAX_NAME).join('') || undefined
  await storage.swap(EVERYTHING, (values) => {
    if (recordIn(values)?.address === address) return { accountName }
    const parked = parkedIn(values).map((one) =>
      one.address === address ? { ...one, values: { ...one.values, accountName } } : one,
    )
    return parked.length === 0 ? {} : { [PARKED]: parked }
  })
}

/**
 * Repairs what versions with one account leave: after one of them removed the active account, another becomes active.
 * A build whose brand has no passkeys removes those of all accounts.
 */
export async function settleAccounts(storage: Storage, hasPasskeys: boolean): Promise<void> {
  await storage.swap(EVERYTHING, (values) => {
    if (recordIn(values) !== undefined && hasPasskeys) return {}
    const all = parkedIn(values).map(({ address, values: { passkey, ...others } }) => ({
      address,
      values: hasPasskeys && passkey !== undefined ? { ...others, passkey } : others,
    }))
    return recordIn(values) === undefined ? activeOf(all[0], all) : { [PARKED]: all }
  })
}
