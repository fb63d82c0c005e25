import { resolve } from 'node:path'
import { createFileKeystore, createWallet, parseKeystore, type Wallet } from '@hailstone/client'
import { encodeReferralCode, keystoreError } from '@hailstone/protocol'
import type { Given } from './command-line.ts'
import { type Exit, exits } from './exit-codes.ts'
import { assertKeystoreForm, isKeystoreText, phraseIn, walletOfKeyText } from './key-text.ts'
import { required } from './option-values.ts'
import { readPassword } from './read-password.ts'
import { readSecretFile } from './secret-file.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { walletOfOptions } from './wallet-of-options.ts'
import { writeSecretFile } from './write-secret-file.ts'

type NewKeyOptions = Given<'wallet new'>

/** Shows an account; never its key. */
function show(
  terminal: Terminal,
  wallet: Pick<Wallet, 'address' | 'referralCode'>,
  place: string | null,
): void {
  const { address, referralCode } = wallet
  if (terminal.manner === 'json') terminal.tell({ address, referralCode, file: place })
  else {
    terminal.say(`address        ${address}`)
    terminal.say(`referral code  ${referralCode}`)
    terminal.say(
      '               it earns while the account holds the stake of an agent: 1,000 coins as a rule,',
    )
    terminal.say('               `hailstone token` shows it')
    if (place !== null) terminal.say(`file           ${place}`)
  }
}

async function newPassword(given: NewKeyOptions, terminal: Terminal): Promise<string> {
  const password = await readPassword(given, terminal, 'New password (at least 8 characters): ')
  if (given.passwordFile !== undefined) return password
  if ((await terminal.askSecret('Once more: ')) !== password)
    throw new UsageError('The two passwords differ.')
  return password
}

/** Keeps a key in a new file: encrypted, or as one line of hex when that is asked for. */
async function store(wallet: Wallet, given: NewKeyOptions, terminal: Terminal): Promise<void> {
  const path = required('--out', given.out)
  if (given.plain === true && given.passwordFile !== undefined)
    throw new UsageError('--plain stores the key without a password: leave --password-file out.')
  if (given.plain === true) {
    const place = await writeSecretFile({ path, text: `${wallet.exportPrivateKey()}\n` })
    terminal.warn('The key is not encrypted: whoever reads the file has the account.')
    show(terminal, wallet, place)
    return
  }
  const keystore = createFileKeystore({ path })
  const address = await keystore.readAddress()
  if (address !== undefined) throw keystoreError('KEYSTORE_EXISTS', { place: keystore.path, address })
  await keystore.save({ wallet, password: await newPassword(given, terminal) })
  show(terminal, wallet, keystore.path)
}

/** Makes a new account and keeps its key in a file. */
export async function walletNew(given: Given<'wallet new'>, terminal: Terminal): Promise<Exit> {
  await store(createWallet(), given, terminal)
  return exits.ok
}

/** Hex, or a recovery phrase; phrases need two optional packages. */
async function walletOfText(text: string): Promise<Wallet> {
  if (isKeystoreText(text)) assertKeystoreForm(text)
  const phrase = phraseIn(text)
  if (phrase === null) return walletOfKeyText(text)
  const { walletFromMnemonic } = await mnemonicPackage()
  return walletFromMnemonic(phrase)
}

async function mnemonicPackage(): Promise<typeof import('@hailstone/client/mnemonic')> {
  try {
    return await import('@hailstone/client/mnemonic')
  } catch {
    throw new UsageError('Recovery phrases need two more packages: npm install @scure/bip32 @scure/bip39.')
  }
}

/** Keeps the key that is typed or piped in: 64 hex digits, or 12 or 24 words. */
export async function walletImport(given: Given<'wallet import'>, terminal: Terminal): Promise<Exit> {
  const isTyped = process.stdin.isTTY === true
  const text = isTyped ? await terminal.askSecret('Key or words: ') : await terminal.readInput()
  await store(await walletOfText(text), given, terminal)
  return exits.ok
}

/** Shows the address of the key in a file. Does not decrypt a keystore. */
export async function walletShow(given: Given<'wallet show'>, terminal: Terminal): Promise<Exit> {
  const path = required('--key-file', given.keyFile)
  const text = await readSecretFile(path)
  if (!isKeystoreText(text)) show(terminal, walletOfKeyText(text), resolve(path))
  else {
    assertKeystoreForm(text)
    const { address } = parseKeystore(text)
    show(terminal, { address, referralCode: encodeReferralCode(address) }, resolve(path))
  }
  return exits.ok
}

/** Writes the key as hex: into a new file, or on standard output when that is plainly wanted. */
export async function walletExport(given: Given<'wallet export'>, terminal: Terminal): Promise<Exit> {
  const { out, reveal } = given
  if (out === undefined && reveal !== true) {
    throw new UsageError('Name a new file with --out, or show the key on the screen with --reveal.')
  }
  if (out !== undefined && reveal === true)
    throw new UsageError('--out and --reveal say two places for the key: give one of them.')
  const wallet = await walletOfOptions(given, terminal)
  if (out === undefined) {
    terminal.write(`${wallet.exportPrivateKey()}\n`)
    return exits.ok
  }
  const place = await writeSecretFile({ path: out, text: `${wallet.exportPrivateKey()}\n` })
  show(terminal, wallet, place)
  return exits.ok
}
