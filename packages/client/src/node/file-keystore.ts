import { dirname, resolve } from 'node:path'
import { type Address, isNodeError, keystoreError, NodeError } from '@hailstone/protocol'
import { type FileLock, makeFolder, takeFileLock } from '@hailstone/runtime/node'
import { assertNames } from '../assert-names.ts'
import { decryptWallet } from '../wallet/decrypt-wallet.ts'
import { encryptWallet } from '../wallet/encrypt-wallet.ts'
import { parseKeystore } from '../wallet/keystore-document.ts'
import type {
  ChangePasswordParameters,
  SaveWalletParameters,
  UnlockedWallet,
  UnlockWalletParameters,
} from '../wallet/unlocked-wallet.ts'
import { assertedPath } from './assert-path.ts'
import { diskFault } from './disk-fault.ts'
import {
  readKeystoreCopy,
  readKeystoreFile,
  type StoredKeystore,
  writeKeystoreFiles,
} from './keystore-files.ts'
import { realPathOf } from './real-path.ts'
import { secondPathOf } from './second-path.ts'

/** Parameters of {@link createFileKeystore}. */
export type FileKeystoreParameters = {
  /** The file; its folder is made when it is not there. A second copy is kept at `<path>.copy`. */
  readonly path: string
}

/** One private key in an encrypted file that only its owner may read. Holds nothing open between calls. */
export type FileKeystore = {
  /** Absolute. */
  readonly path: string
  /** Returns the address of the stored key, or undefined if no key is stored. Needs no password. */
  readonly readAddress: () => Promise<Address | undefined>
  /** The encrypted text, to be kept elsewhere as a backup. Needs no password. */
  readonly readText: () => Promise<string>
  /**
   * Encrypts and stores a key. The key of another account is never overwritten.
   *
   * @throws {NodeError} `KEYSTORE_EXISTS`, `KEYSTORE_LOCKED`, `KEYSTORE_WRITE_FAILED`, `PASSWORD_REFUSED`
   */
  readonly save: (parameters: SaveWalletParameters) => Promise<void>
  /**
   * Opens the key. When the file is damaged its copy is used; file and copy are mended when they are not the
   * same, and encrypted again when their parameters are weaker than today's.
   *
   * @throws {NodeError} `KEYSTORE_UNLOCK_FAILED` for a wrong password, `KEYSTORE_MISSING`,
   *   `KEYSTORE_PERMISSIONS`, `KEYSTORE_MALFORMED` when the copy is no better, `KEYSTORE_VERSION_UNKNOWN`
   */
  readonly unlock: (parameters: UnlockWalletParameters) => Promise<UnlockedWallet>
  /** Encrypts the key under another password; the old one then opens no file any more. */
  readonly changePassword: (parameters: ChangePasswordParameters) => Promise<void>
}

/**
 * A keystore in a file. Nothing is read or written before it is asked for.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function createFileKeystore(parameters: FileKeystoreParameters): FileKeystore {
  const path = resolve(assertedPath(parameters, "createFileKeystore({ path: 'miner.keystore' })"))

  /** The copy lies beside the file itself, not beside a link to it. */
  const read = async (): Promise<StoredKeystore> => readKeystoreFile(await realPathOf(path).catch(() => path))

  const readText = async (): Promise<string> => (await read()).text

  const readAddress = async (): Promise<Address | undefined> => {
    try {
      return parseKeystore(await readText()).address
    } catch (error) {
      if (isNodeError(error, 'KEYSTORE_MISSING')) return undefined
      throw error
    }
  }

  const save = async (parameters: SaveWalletParameters): Promise<void> => {
    const { wallet, password, derivation, ...others } = Object(parameters) as SaveWalletParameters
    const text = await encryptWallet({ ...others, wallet, password, derivation })
    await withLock(path, async (realPath) => {
      const address = await readAddress()
      if (address !== undefined && address !== wallet.address) {
        throw keystoreError('KEYSTORE_EXISTS', { place: path, address })
      }
      await writeKeystoreFiles(realPath, text)
    })
  }

  const unlock = async (parameters: UnlockWalletParameters): Promise<UnlockedWallet> => {
    assertNames('of unlock', parameters, ['password', 'ecdsa'])
    const { password, ecdsa } = Object(parameters) as UnlockWalletParameters
    const { text, isFromCopy } = await read()
    const { wallet, isOutdated } = await decryptWallet({ text, password, ecdsa })
    const isCopied = (await readKeystoreCopy(await realPathOf(path).catch(() => path))) === text
    if (!isFromCopy && !isOutdated && isCopied) {
      return { wallet, isFromCopy, isRewritten: false, writeFault: undefined }
    }
    const writeFault = await faultOf(() =>
      withLock(path, async (realPath) => {
        const next = isOutdated ? await encryptWallet({ wallet, password }) : text
        // Somebody else may have written in the meantime, and knows better.
        const { text: now } = await readKeystoreFile(realPath)
        if (now === text) await writeKeystoreFiles(realPath, next)
      }),
    )
    return { wallet, isFromCopy, isRewritten: writeFault === undefined, writeFault }
  }

  const changePassword = async (change: ChangePasswordParameters): Promise<void> => {
    assertNames('of changePassword', change, ['password', 'newPassword', 'derivation'])
    const { password, newPassword, derivation } = Object(change) as ChangePasswordParameters
    await withLock(path, async (realPath) => {
      const { wallet } = await decryptWallet({ text: await readText(), password })
      await writeKeystoreFiles(realPath, await encryptWallet({ wallet, password: newPassword, derivation }))
    })
  }

  return Object.freeze({ path, readAddress, readText, save, unlock, changePassword })
}

/** `act` gets the path without symbolic links: replacing a link would leave the file behind it as it was. */
async function withLock<T>(given: string, act: (path: string) => Promise<T>): Promise<T> {
  const path = await realPathOf(given).catch((error: unknown) => {
    throw writeFailed(given, diskFault(error), error)
  })
  const lock = await lockOf(path)
  try {
    const reason = await secondPathOf(path).catch((error: unknown) => diskFault(error))
    if (reason !== null) throw writeFailed(path, reason)
    return await act(path)
  } finally {
    await lock.release()
  }
}

const writeFailed = (place: string, reason: string, cause?: unknown): NodeError<'KEYSTORE_WRITE_FAILED'> =>
  keystoreError('KEYSTORE_WRITE_FAILED', { place, reason }, { cause })

async function lockOf(path: string): Promise<FileLock> {
  const lock = await makeFolder(dirname(path), { mode: 0o700 })
    .then(() => takeFileLock(`${path}.lock`))
    .catch((error: unknown) => {
      throw writeFailed(path, diskFault(error), error)
    })
  if ('release' in lock) return lock
  throw keystoreError('KEYSTORE_LOCKED', { path, ...lock })
}

async function faultOf(act: () => Promise<void>): Promise<NodeError | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof NodeError) return error
    throw error
  }
}
