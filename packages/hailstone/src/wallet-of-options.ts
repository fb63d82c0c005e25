import { readFile } from 'node:fs/promises'
import { createFileKeystore, parseKeystore, type UnlockedWallet, type Wallet } from '@hailstone/client'
import { type Address, isNodeError, parseAddress } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { writtenText } from '@hailstone/runtime/node'
import { ENVIRONMENT_KEY } from './environment-key.ts'
import { assertKeystoreForm, isKeystoreText, walletOfKeyText } from './key-text.ts'
import { passwordReadings } from './read-password.ts'
import { readSecretFile } from './secret-file.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type KeyOptions = {
  readonly keyFile?: string | undefined
  readonly keyStdin?: boolean | undefined
  readonly passwordFile?: string | undefined
}

const ENVIRONMENT_WARNING = `The key was read from ${ENVIRONMENT_KEY}: other programs of this account can read it there. Prefer --key-file or --key-stdin.`
const NO_KEYSTORE = '--password-file opens a keystore, and this key is not encrypted. Leave it out.'
const NO_KEY =
  'Say where the key is: --key-file (a keystore or one line of hex, mode 600) or --key-stdin. `hailstone wallet new` makes one.'

/**
 * Opens the wallet that a command works with. The key comes from a file or from standard input, never from the
 * command line.
 *
 * @throws {NodeError} as keystores and keys; `PRIVATE_KEY_MALFORMED` never repeats the text
 */
export async function walletOfOptions(given: KeyOptions, terminal: Terminal): Promise<Wallet> {
  const path = given.keyFile
  if (path !== undefined && given.keyStdin === true)
    throw new UsageError('Give one of --key-file and --key-stdin.')
  const ecdsa = await findAcceleratedEcdsa()
  if (given.keyStdin === true && given.passwordFile !== undefined) throw new UsageError(NO_KEYSTORE)
  if (given.keyStdin === true) return walletOfKeyText(await terminal.readInput(), { ecdsa })
  if (path === undefined) {
    const text = terminal.environment[ENVIRONMENT_KEY]
    if (text === undefined) throw new UsageError(NO_KEY)
    terminal.warn(ENVIRONMENT_WARNING)
    return walletOfKeyText(text, { ecdsa })
  }
  const text = await readSecretFile(path)
  if (!isKeystoreText(text)) {
    const wallet = walletOfKeyText(text, { ecdsa })
    if (given.passwordFile !== undefined) throw new UsageError(NO_KEYSTORE)
    return wallet
  }
  assertKeystoreForm(text)
  const { unlock } = createFileKeystore({ path })
  const { wallet, isFromCopy, writeFault } = await firstThatOpens(
    await passwordReadings(given, terminal),
    (password) => unlock({ password, ecdsa }),
  )
  if (isFromCopy) terminal.warn('The keystore was damaged; its second copy was used.')
  if (writeFault !== undefined) terminal.warn(`The keystore could not be mended: ${writeFault.message}`)
  return wallet
}

/** @throws {NodeError} what the first password met, if none opens it */
async function firstThatOpens(
  [password, ...others]: readonly [string, ...string[]],
  unlock: (password: string) => Promise<UnlockedWallet>,
): Promise<UnlockedWallet> {
  try {
    return await unlock(password)
  } catch (error) {
    if (!isNodeError(error, 'KEYSTORE_UNLOCK_FAILED')) throw error
    for (const other of others) {
      const opened = await unlock(other).catch(() => null)
      if (opened !== null) return opened
    }
    throw error
  }
}

/** The account behind the options, without a password where none is needed. */
export async function addressOfOptions(
  given: KeyOptions & { readonly address?: string | undefined; readonly argument?: string | undefined },
  terminal: Terminal,
): Promise<Address | undefined> {
  const { argument, address = argument, keyFile: path } = given
  const named = [
    ...(argument === undefined ? [] : ['the account after the command']),
    ...(given.address === undefined ? [] : ['--address']),
    ...(path === undefined ? [] : ['--key-file']),
    ...(given.keyStdin === true ? ['--key-stdin'] : []),
  ]
  if (named.length > 1)
    throw new UsageError(`One account is meant, and ${named.join(' and ')} name more. Leave one out.`)
  if (address !== undefined) return parseAddress(address)
  if (path !== undefined) {
    const text = await readFile(path).then(writtenText, () => '')
    if (isKeystoreText(text)) {
      assertKeystoreForm(text)
      return parseKeystore(text).address
    }
  }
  const hasKey = path !== undefined || given.keyStdin === true
  if (!hasKey && terminal.environment[ENVIRONMENT_KEY] === undefined) return undefined
  return (await walletOfOptions(given, terminal)).address
}
