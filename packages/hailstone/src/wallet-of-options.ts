import { type FileHandle, open, readFile } from 'node:fs/promises'
import { createFileKeystore, parseKeystore, type Wallet, walletFromPrivateKey } from '@hailstone/client'
import { type Address, keystoreError, parseAddress } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { systemCause } from '@hailstone/runtime/node'
import { ENVIRONMENT_KEY } from './environment-key.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type KeyOptions = {
  readonly keyFile?: string | undefined
  readonly keyStdin?: boolean | undefined
  readonly passwordFile?: string | undefined
}

const OTHERS = 0o077
const MAX_BYTES = 65_536

/** Opens a file that nobody else may read; what is checked is the file that was opened. */
async function openPrivate(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw keystoreError('KEYSTORE_MISSING', { place: path })
    throw keystoreError('KEYSTORE_MALFORMED', { reason: `${path}: ${systemCause(String(cause.code))}` })
  })
  const { mode } = await handle.stat()
  if ((mode & OTHERS) === 0 || process.platform === 'win32') return handle
  await handle.close()
  throw keystoreError('KEYSTORE_PERMISSIONS', { path, mode: (mode & 0o777).toString(8).padStart(4, '0') })
}

/** @throws {NodeError} `KEYSTORE_MISSING`, `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED` */
export async function assertPrivateFile(path: string): Promise<void> {
  await (await openPrivate(path)).close()
}

/**
 * Reads a small file that nobody else may read.
 *
 * @throws {NodeError} `KEYSTORE_MISSING`, `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED`
 */
export async function readSecretFile(path: string): Promise<string> {
  const handle = await openPrivate(path)
  try {
    // Not by the length that the file says it has: a pipe says 0 and may never end.
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length)).bytesRead
    if (length > MAX_BYTES) throw keystoreError('KEYSTORE_MALFORMED', { reason: 'it is too long' })
    const text = buffer.toString('utf8', 0, length)
    buffer.fill(0)
    return text
  } finally {
    await handle.close()
  }
}

const firstLine = (text: string): string => (text.split(/\r?\n/, 1)[0] ?? '').trim()

/** Files of keystores are JSON, files of keys are one line of hex. */
const isKeystore = (text: string): boolean => text.trimStart().startsWith('{')

/** The password of a keystore: from a file, or from whoever sits at the terminal. */
export async function readPassword(
  given: { readonly passwordFile?: string | undefined },
  terminal: Terminal,
  question = 'Password: ',
): Promise<string> {
  const path = given.passwordFile
  if (path === undefined) return terminal.askSecret(question)
  return (await readSecretFile(path)).replace(/\r?\n$/, '')
}

const ENVIRONMENT_WARNING = `The key was read from ${ENVIRONMENT_KEY}: other programs of this account can read it there. Prefer --key-file or --key-stdin.`
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
  if (given.keyStdin === true) return walletFromPrivateKey(firstLine(await terminal.readInput()), { ecdsa })
  if (path === undefined) {
    const text = terminal.environment[ENVIRONMENT_KEY]
    if (text === undefined) throw new UsageError(NO_KEY)
    terminal.warn(ENVIRONMENT_WARNING)
    return walletFromPrivateKey(text.trim(), { ecdsa })
  }
  const text = await readSecretFile(path)
  if (!isKeystore(text)) return walletFromPrivateKey(firstLine(text), { ecdsa })
  const password = await readPassword(given, terminal)
  const { wallet, isFromCopy, writeFault } = await createFileKeystore({ path }).unlock({ password, ecdsa })
  if (isFromCopy) terminal.warn('The keystore was damaged; its second copy was used.')
  if (writeFault !== undefined) terminal.warn(`The keystore could not be mended: ${writeFault.message}`)
  return wallet
}

/** The account behind the options, without a password where none is needed. */
export async function addressOfOptions(
  given: KeyOptions & { readonly address?: string | undefined },
  terminal: Terminal,
): Promise<Address | undefined> {
  if (given.address !== undefined) return parseAddress(given.address)
  const path = given.keyFile
  if (path !== undefined) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (isKeystore(text)) return parseKeystore(text).address
  }
  const hasKey = path !== undefined || given.keyStdin === true
  if (!hasKey && terminal.environment[ENVIRONMENT_KEY] === undefined) return undefined
  return (await walletOfOptions(given, terminal)).address
}
