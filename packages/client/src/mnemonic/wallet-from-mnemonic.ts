import {
  assertArgument,
  bytesToHex,
  keystoreError,
  NodeError,
  parsePrivateKey,
  written,
} from '@hailstone/protocol'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { assertNames } from '../assert-names.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { OpenWalletOptions } from '../wallet/wallet-from-private-key.ts'
import { walletOfKey } from '../wallet/wallet-of-key.ts'
import { checkMnemonic, type MnemonicCheck } from './check-mnemonic.ts'
import { type WordList, wordsOf } from './word-list.ts'

/** Options of {@link walletFromMnemonic}. */
export type WalletFromMnemonicOptions = OpenWalletOptions & {
  /** Which account of the phrase, 0 … 2^31-1. @default 0 */
  readonly index?: number | undefined
  /** The "25th word" of BIP-39. Every other one opens other accounts. @default '' */
  readonly passphrase?: string | undefined
  /** @default English */
  readonly wordList?: WordList | undefined
}

/** The path of the network's browser wallet (PROTOCOL 1.2). */
const ACCOUNT_PATH = "m/44'/2045'/0'/0/"

/**
 * Opens an account of a recovery phrase of 12 or 24 words: BIP-39, then BIP-32 along `m/44'/2045'/0'/0/index`.
 * Takes some hundredths of a second.
 *
 * @throws {NodeError} `MNEMONIC_COUNT`, `MNEMONIC_WORD` with the position, `MNEMONIC_CHECKSUM`; no word is ever
 *   repeated, which `checkMnemonic` does. `CONFIGURATION_INVALID` for another index, `ARGUMENT_INVALID`
 */
export function walletFromMnemonic(text: string, options: WalletFromMnemonicOptions = {}): Wallet {
  const { index = 0, passphrase = '', wordList, ecdsa } = Object(options) as WalletFromMnemonicOptions
  assertNames('of walletFromMnemonic', options, ['index', 'passphrase', 'wordList', 'ecdsa'])
  // What was found may be the secret.
  assertArgument(typeof passphrase === 'string', 'passphrase', 'a text', {})
  assertIndex(index)
  assertMnemonic(checkMnemonic(text, { wordList }), text)
  const seed = mnemonicToSeedSync(wordsOf(text).join(' '), passphrase)
  const root = HDKey.fromMasterSeed(seed)
  const account = root.derive(ACCOUNT_PATH + index)
  const { privateKey } = account
  try {
    // Null is for accounts of public keys alone, which none of these is.
    if (privateKey === null)
      throw new NodeError('PRIVATE_KEY_MALFORMED', { reason: 'the path leads to none' })
    return walletOfKey(parsePrivateKey(bytesToHex(privateKey)), ecdsa)
  } finally {
    seed.fill(0)
    root.wipePrivateData()
    account.wipePrivateData()
  }
}

function assertMnemonic(check: MnemonicCheck, text: string): void {
  if (check.ok) return
  if (check.problem === 'count') throw keystoreError('MNEMONIC_COUNT', { count: check.count })
  if (check.problem === 'checksum') {
    throw keystoreError('MNEMONIC_CHECKSUM', { count: wordsOf(text).length })
  }
  const [first] = check.wrong
  throw keystoreError('MNEMONIC_WORD', { position: first?.position ?? 0 })
}

function assertIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index < 2 ** 31) return
  const [expected, found] = ['a whole number from 0 to 2147483647', written(index)]
  throw new NodeError('CONFIGURATION_INVALID', { path: 'index', expected, found })
}
