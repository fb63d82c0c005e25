import type { Wallet, walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import type { keystoreError } from '@hailstone/protocol'
import type { AccountRecord, AccountRules } from './account-record.ts'
import type { BrowserVault } from './keystore.ts'
import type { sealWords } from './sealed-words.ts'
import type { Storage, Values } from './storage.ts'

// Loaded with the first call that makes an account. As `account-list.ts`, it imports no values of the engine.

/** An account that is not stored yet. */
export type Prepared = { readonly wallet: Wallet; readonly words: string | null; readonly isNew: boolean }

/** Kind and address of a typed private key or recovery phrase. */
export type SecretFacts = { readonly kind: 'words' | 'key'; readonly address: Address }

type FromKey = typeof walletFromPrivateKey

export type SetupTools = {
  readonly storage: Storage
  readonly vault: BrowserVault
  readonly rules: AccountRules
  readonly keystoreError: typeof keystoreError
  readonly sealWords: typeof sealWords
  /** Rejects if the asker has left. */
  readonly check: () => Promise<void>
}

const isPhrase = (text: string): boolean => /\s/.test(text.trim())

async function walletOfText(text: string, fromKey: FromKey): Promise<Wallet> {
  if (!isPhrase(text)) return fromKey(text.trim().toLowerCase())
  const { walletFromMnemonic } = await import('@hailstone/client/mnemonic')
  return walletFromMnemonic(text)
}

/** Makes an account, or reads the one of a typed key or phrase. */
export async function prepareAccount(text: string | undefined, fromKey: FromKey): Promise<Prepared> {
  if (text !== undefined) return { wallet: await walletOfText(text, fromKey), words: null, isNew: false }
  const { createMnemonic, walletFromMnemonic } = await import('@hailstone/client/mnemonic')
  const words = createMnemonic()
  return { wallet: walletFromMnemonic(words), words, isNew: true }
}

export async function inspectSecret(text: string, fromKey: FromKey): Promise<SecretFacts> {
  const { address } = await walletOfText(text, fromKey)
  return { kind: isPhrase(text) ? 'words' : 'key', address }
}

const recordOf = (
  { wallet: { address }, isNew }: Prepared,
  isSealed: boolean,
  { hasAgentStep }: AccountRules,
): AccountRecord => {
  const step = isNew ? 'words' : hasAgentStep ? 'agent' : 'done'
  return { address, step, isNew, isBackedUp: !isNew, isSealed }
}

/** Writes the first account's record, after its key: an interrupted setup leaves no account. */
export async function beginAccount(
  { storage, rules }: Pick<SetupTools, 'storage' | 'rules'>,
  next: Prepared,
  isSealed: boolean,
  values: Values,
): Promise<void> {
  await storage.swap(['account'], ({ account: before }) => {
    if (before !== undefined) throw new Error('There is an account already.')
    const cleared = { sealedWords: undefined, passkey: undefined, outdated: undefined }
    return { ...cleared, ...values, account: recordOf(next, isSealed, rules) }
  })
}

/** Encrypts and stores an account; a further one under the passphrase of the active one. */
export async function sealAccount(
  tools: SetupTools,
  next: Prepared,
  password: string,
  active: AccountRecord | undefined,
): Promise<void> {
  const { storage, vault, rules, keystoreError: failure, sealWords: seal, check } = tools
  const { wallet, words } = next
  const sealed = async () => (words === null ? undefined : seal(wallet, words))
  await check()
  if (active === undefined) {
    await vault.save({ wallet, password })
    await beginAccount(tools, next, true, { sealedWords: await sealed() })
    return
  }
  if (!rules.mayHaveSeveral || !active.isSealed) throw new Error('No account can be added here.')
  const { addAccount, findRecord } = await import('./account-list.ts')
  const beside: Address = active.address
  await vault.unlock({ address: beside, password })
  if ((await findRecord(storage, wallet.address)) !== undefined)
    throw failure('KEYSTORE_EXISTS', { place: 'the app', address: wallet.address })
  await check()
  await vault.save({ wallet, password })
  await addAccount(storage, { record: recordOf(next, true, rules), words: await sealed(), beside })
}
