import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNodeError, sha256Hex } from '@hailstone/protocol'
import { takeFileLock } from '@hailstone/runtime/node'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encryptWallet } from '../wallet/encrypt-wallet.ts'
import type { KeyDerivation } from '../wallet/key-derivation.ts'
import { formatKeystore, parseKeystore } from '../wallet/keystore-document.ts'
import { walletFromPrivateKey } from '../wallet/wallet-from-private-key.ts'
import { createFileKeystore, type FileKeystore } from './file-keystore.ts'

const wallet = walletFromPrivateKey(sha256Hex('file keystore'))
const other = walletFromPrivateKey(sha256Hex('another account'))
const password = 'correct horse'
const older: KeyDerivation = { name: 'pbkdf2-sha256', iterations: 600_000 }

/** Made once: encrypting is slow on purpose. */
let saved = ''
let savedOlder = ''
beforeAll(async () => {
  saved = await encryptWallet({ wallet, password })
  savedOlder = await encryptWallet({ wallet, password, derivation: older })
})

let folder = ''
let path = ''
let keystore: FileKeystore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-keystore-'))
  path = join(folder, 'key.json')
  keystore = createFileKeystore({ path })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (text: string, copy = text): Promise<void> => {
  await writeFile(path, text, { mode: 0o600 })
  await writeFile(`${path}.copy`, copy, { mode: 0o600 })
}
const codeOf = async (act: Promise<unknown>): Promise<unknown> => {
  try {
    return await act
  } catch (error) {
    return isNodeError(error) ? error.code : error
  }
}
const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777

describe('a keystore file', () => {
  it('is written for its owner alone, twice, with nothing left beside it, and opens again', async () => {
    const deep = createFileKeystore({ path: join(folder, 'a', 'b', 'key.json') })
    await deep.save({ wallet, password })
    expect(await readdir(join(folder, 'a', 'b'))).toStrictEqual(['key.json', 'key.json.copy'])
    expect(await Promise.all([deep.path, `${deep.path}.copy`].map(modeOf))).toStrictEqual([0o600, 0o600])
    expect(await modeOf(join(folder, 'a'))).toBe(0o700)
    expect(await deep.readAddress()).toBe(wallet.address)
    const opened = await deep.unlock({ password })
    expect(opened.wallet.exportPrivateKey()).toBe(wallet.exportPrivateKey())
    expect(opened).toMatchObject({ isFromCopy: false, isRewritten: false, writeFault: undefined })
  })

  it('says when there is none', async () => {
    expect(await keystore.readAddress()).toBeUndefined()
    expect(await codeOf(keystore.unlock({ password }))).toBe('KEYSTORE_MISSING')
    expect(await codeOf(keystore.readText())).toBe('KEYSTORE_MISSING')
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('T5: stays as it is after a wrong password', async () => {
    await put(savedOlder)
    expect(await codeOf(keystore.unlock({ password: 'wrong password' }))).toBe('KEYSTORE_UNLOCK_FAILED')
    expect(await readFile(path, 'utf8')).toBe(savedOlder)
  })

  it('never overwrites the key of another account, nor a file it cannot read', async () => {
    await put(saved)
    expect(await codeOf(keystore.save({ wallet: other, password }))).toBe('KEYSTORE_EXISTS')
    await rename(path, `${path}.away`)
    expect(await codeOf(keystore.save({ wallet: other, password }))).toBe('KEYSTORE_EXISTS')
    await put('damaged')
    expect(await codeOf(keystore.save({ wallet, password }))).toBe('KEYSTORE_MALFORMED')
    expect(await readFile(path, 'utf8')).toBe('damaged')
  })

  it('opens with the new password alone once it was changed, also from the copy', async () => {
    await put(saved)
    await keystore.changePassword({ password, newPassword: 'battery staple' })
    expect(await codeOf(keystore.unlock({ password }))).toBe('KEYSTORE_UNLOCK_FAILED')
    await rm(path)
    expect(await codeOf(keystore.unlock({ password }))).toBe('KEYSTORE_UNLOCK_FAILED')
    const opened = await keystore.unlock({ password: 'battery staple' })
    expect(opened).toMatchObject({ isFromCopy: true, isRewritten: true })
  })

  it('is left alone when its password is not known or the new one is too short', async () => {
    await put(saved)
    const change = (from: string, to: string) =>
      codeOf(keystore.changePassword({ password: from, newPassword: to }))
    expect(await change('wrong password', 'battery staple')).toBe('KEYSTORE_UNLOCK_FAILED')
    expect(await change(password, 'short')).toBe('PASSWORD_REFUSED')
    expect(await readFile(path, 'utf8')).toBe(saved)
  })
})

describe('T9: a keystore file that others may read', () => {
  it.each([0o644, 0o640, 0o604, 0o660, 0o601])('is refused with mode %o', async (mode) => {
    await put(saved)
    await chmod(path, mode)
    const error = await keystore.unlock({ password }).catch((thrown: unknown) => thrown)
    expect(isNodeError(error, 'KEYSTORE_PERMISSIONS')).toBe(true)
    expect(error).toMatchObject({ facts: { path, mode: `0${mode.toString(8)}` } })
    expect(String(error)).toContain('chmod 600')
  })

  it('is refused as a copy, when the copy is needed', async () => {
    await put('damaged', saved)
    await chmod(`${path}.copy`, 0o644)
    expect(await codeOf(keystore.unlock({ password }))).toBe('KEYSTORE_PERMISSIONS')
  })
})

describe('T3: a damaged keystore file', () => {
  it('is read from its copy and mended, wherever it was cut', async () => {
    for (const length of [0, 1, 100, saved.length - 3]) {
      await put(saved)
      await truncate(path, length)
      const opened = await keystore.unlock({ password })
      expect(opened.wallet.address).toBe(wallet.address)
      expect(opened).toMatchObject({ isFromCopy: true, isRewritten: true })
      expect(await readFile(path, 'utf8')).toBe(saved)
    }
  })

  it('is read from its copy for a cut at every byte', async () => {
    await put(saved)
    for (let length = saved.trimEnd().length - 1; length >= 0; length--) {
      await truncate(path, length)
      expect(await keystore.readText()).toBe(saved)
    }
  })

  it('is refused when the copy is no better', async () => {
    await put(saved.replace('"version": 1', '"version": 3'), 'damaged')
    expect(await codeOf(keystore.unlock({ password }))).toBe('KEYSTORE_MALFORMED')
  })

  it('gets its copy back, and one that an interrupted change left with the old password', async () => {
    await put(saved)
    await rm(`${path}.copy`)
    expect(await keystore.unlock({ password })).toMatchObject({ isFromCopy: false, isRewritten: true })
    expect(await readFile(`${path}.copy`, 'utf8')).toBe(saved)
    await put(saved, savedOlder)
    expect(await keystore.unlock({ password })).toMatchObject({ isFromCopy: false, isRewritten: true })
    expect(await readFile(`${path}.copy`, 'utf8')).toBe(saved)
  })
})

describe('an older keystore file', () => {
  it("is encrypted again with today's parameters when it is unlocked", async () => {
    await put(savedOlder)
    expect(await keystore.unlock({ password })).toMatchObject({ isFromCopy: false, isRewritten: true })
    expect(await readFile(path, 'utf8')).toContain('"scrypt"')
    expect(await readFile(`${path}.copy`, 'utf8')).toBe(await readFile(path, 'utf8'))
    expect(await keystore.unlock({ password })).toMatchObject({ isRewritten: false })
  })

  it('leaves the copy of another account: its file may have been replaced by hand', async () => {
    const foreign = formatKeystore({ ...parseKeystore(saved), address: other.address })
    await put(saved, foreign)
    const unlocked = await keystore.unlock({ password })
    expect(unlocked).toMatchObject({ wallet: { address: wallet.address }, isRewritten: false })
    expect(unlocked.writeFault).toMatchObject({ code: 'KEYSTORE_EXISTS', facts: { address: other.address } })
    expect(await codeOf(keystore.changePassword({ password, newPassword: 'another horse' }))).toBe(
      'KEYSTORE_EXISTS',
    )
    expect(await Promise.all([path, `${path}.copy`].map((file) => readFile(file, 'utf8')))).toEqual([
      saved,
      foreign,
    ])
  })

  it('T8: of a newer version is refused and not touched, whatever the copy is', async () => {
    const { checksum: _, ...content } = JSON.parse(saved)
    const newer = { ...content, version: 2 }
    const text = JSON.stringify({ ...newer, checksum: sha256Hex(JSON.stringify(newer)) })
    await put(text, saved)
    expect(await codeOf(keystore.unlock({ password }))).toBe('KEYSTORE_VERSION_UNKNOWN')
    expect(await codeOf(keystore.save({ wallet, password }))).toBe('KEYSTORE_VERSION_UNKNOWN')
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

describe('writing', () => {
  it('T6: waits for nobody: a keystore that is being written says by whom', async () => {
    await put(savedOlder)
    const lock = await takeFileLock(`${path}.lock`)
    if (!('release' in lock)) throw new Error('not taken')
    const error = await keystore.save({ wallet, password }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'KEYSTORE_LOCKED', facts: { path, processId: process.pid } })
    const opened = await keystore.unlock({ password })
    expect(opened.wallet.address).toBe(wallet.address)
    expect(opened).toMatchObject({ isRewritten: false, writeFault: { code: 'KEYSTORE_LOCKED' } })
    await lock.release()
    await keystore.save({ wallet, password })
  })

  it('T6: goes on after a writer that died, over its lock and its half-written draft', async () => {
    await writeFile(`${path}.lock`, '999999999 1')
    await writeFile(`${path}.new`, saved.slice(0, 50))
    await keystore.save({ wallet, password })
    expect(await readdir(folder)).toStrictEqual(['key.json', 'key.json.copy'])
  })

  it('does not follow a link that somebody laid for the draft', async () => {
    await writeFile(join(folder, 'victim'), 'precious')
    await symlink(join(folder, 'victim'), `${path}.new`)
    await keystore.save({ wallet, password })
    expect(await readFile(join(folder, 'victim'), 'utf8')).toBe('precious')
  })

  it('says what the disk said', async () => {
    await writeFile(join(folder, 'file'), '')
    const nowhere = createFileKeystore({ path: join(folder, 'file', 'key.json') })
    expect(await codeOf(nowhere.save({ wallet, password }))).toBe('KEYSTORE_WRITE_FAILED')
  })
})
