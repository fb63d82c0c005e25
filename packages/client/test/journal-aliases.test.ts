import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import type { Address } from '@hailstone/protocol'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, createFileKeystore, createWallet, openFileJournal } from '../src/node.ts'
import { buildPackages } from './support/build-packages.ts'

const script = fileURLToPath(new URL('./kill/pay-once.mjs', import.meta.url))
/** A namespace of mounts, as a container has one. */
const canBind =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount --bind /dev/null /dev/null']).status === 0

let folder: string
let path: string
const children: ChildProcess[] = []
beforeAll(() => buildPackages('runtime', 'protocol', 'ledger', 'client', 'local-network'), 120_000)
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'hailstone-aliases-')))
  path = join(folder, 'a', 'payments.journal')
  await mkdir(join(folder, 'b'), { recursive: true })
  await mkdir(dirname(path))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

const other = (): string => join(folder, 'b', 'payments.journal')
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  )
async function write(at: string, ...records: readonly string[]): Promise<void> {
  const journal = await openFileJournal({ path: at })
  for (const record of records) await journal.append(record)
  await journal.close()
}

describe('a journal under two paths', () => {
  it('a symbolic link to the file finds its lock, also before the file is there', async () => {
    await symlink(path, other())
    const first = await openFileJournal({ path: other() })
    expect(await errorOf(openFileJournal({ path }))).toMatchObject({ code: 'JOURNAL_LOCKED' })
    await first.append('{"n":1}')
    await first.replace(['{"n":2}'])
    await first.close()
    const second = await openFileJournal({ path })
    expect((await second.read()).records).toStrictEqual(['{"n":2}'])
    expect(await errorOf(openFileJournal({ path: other() }))).toMatchObject({ code: 'JOURNAL_LOCKED' })
    await second.close()
  })

  it('links that lead to each other are refused', async () => {
    await symlink(path, other())
    await symlink(other(), path)
    expect(await errorOf(openFileJournal({ path }))).toMatchObject({ code: 'JOURNAL_INVALID' })
  })

  it('a file with two hard links is refused and left as it is, also while it is held', async () => {
    await write(path, '{"n":1}')
    const before = await readFile(path, 'latin1')
    await link(path, other())
    const refused = {
      code: 'JOURNAL_INVALID',
      facts: { reason: expect.stringContaining('it has 2 hard links') },
    }
    for (const one of [path, other()])
      expect(await errorOf(openFileJournal({ path: one }))).toMatchObject(refused)
    expect(await readFile(path, 'latin1')).toBe(before)
    await rm(other())
    const held = await openFileJournal({ path })
    await link(path, other())
    expect(await errorOf(openFileJournal({ path: other() }))).toMatchObject(refused)
    await rm(other())
    await held.close()
  })

  it('a file that takes the place of the locked one before it is opened is refused', async () => {
    await write(path, '{"n":1}')
    const { systemDisk } = await import('../src/node/journal-disk.ts')
    await writeFile(other(), '')
    const disk = {
      ...systemDisk,
      open: async (at: string) => {
        const file = await systemDisk.open(at)
        await rename(other(), at)
        return file
      },
    }
    expect(await errorOf(openFileJournal({ path, disk }))).toMatchObject({
      code: 'JOURNAL_INVALID',
      facts: { reason: expect.stringContaining('took its place') },
    })
  })
})

/** Runs the program that pays one order, after `before` in a namespace of mounts of its own. */
function pay(given: object, before?: string) {
  const args = [process.execPath, script, JSON.stringify(given)]
  const [command = '', ...rest] =
    before === undefined ? args : ['unshare', '-m', 'sh', '-c', `${before} && exec "$@"`, 'sh', ...args]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? '{"ended":true}')
}

const bind = (from: string, to: string): string => `mount --bind ${from} ${to}`

describe('one idempotency key, one journal, two programs', () => {
  it.each([
    ['symbolic link', (): Promise<void> => symlink(path, other()), 'JOURNAL_LOCKED'],
    ['hard link', (): Promise<void> => link(path, other()), 'JOURNAL_INVALID'],
  ] as const)('is paid once through a %s', async (_, alias, code) => {
    await using network = await startLocalNetwork({ blockTimeMs: 500, seed: 'aliases' })
    const { address: to } = createWallet()
    const { privateKey } = network.accounts.developers[0] ?? {}
    const given = { apiUrl: network.apiUrl, privateKey, to, idempotencyKey: 'order 1' }
    const first = pay({ ...given, path })
    const paid = await first()
    expect(paid).toStrictEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await alias()
    expect(await pay({ ...given, path: other() })()).toMatchObject({ code })
    expect(await first()).toStrictEqual({ status: 'confirmed' })
    const client = createClient({ apiUrl: network.apiUrl })
    const { records } = await client.getTransactions({ address: to as Address })
    expect(records.map(({ hash }) => ({ hash }))).toStrictEqual([paid])
    await client.close()
  })
})

describe.runIf(canBind)('a journal in a container (unshare -m, mount --bind)', () => {
  it('a file that is mounted by itself is refused, with a blank in its path too', async () => {
    await write(path, '{"n":1}')
    const spaced = join(folder, 'b', 'my payments.journal')
    await writeFile(spaced, '')
    expect(
      await pay(
        { path: spaced, apiUrl: 'http://127.0.0.1:1', privateKey: '11'.repeat(32) },
        bind(path, `'${spaced}'`),
      )(),
    ).toMatchObject({
      code: 'JOURNAL_INVALID',
      facts: { reason: expect.stringContaining('mount the folder instead') },
    })
  })

  it('a folder that is mounted has the lock of the folder', async () => {
    const held = await openFileJournal({ path })
    const mounted = bind(dirname(path), dirname(other()))
    expect(
      await pay({ path: other(), apiUrl: 'http://127.0.0.1:1', privateKey: '11'.repeat(32) }, mounted)(),
    ).toMatchObject({
      code: 'JOURNAL_LOCKED',
    })
    await held.close()
  })
})

describe('a keystore under two paths', () => {
  it('is written where its symbolic link leads', async () => {
    const keystore = join(folder, 'a', 'key.json')
    const alias = join(folder, 'b', 'key.json')
    const wallet = createWallet()
    await createFileKeystore({ path: keystore }).save({ wallet, password: 'a first good password' })
    await symlink(keystore, alias)
    await createFileKeystore({ path: alias }).changePassword({
      password: 'a first good password',
      newPassword: 'a second good password',
    })
    expect(await readFile(keystore, 'utf8')).toBe(await readFile(alias, 'utf8'))
    const unlocked = createFileKeystore({ path: keystore }).unlock({ password: 'a first good password' })
    expect(await errorOf(unlocked)).toMatchObject({ code: 'KEYSTORE_UNLOCK_FAILED' })
    const opened = createFileKeystore({ path: alias }).unlock({ password: 'a second good password' })
    expect(await opened).toMatchObject({ isFromCopy: false, isRewritten: false })
    await link(keystore, join(folder, 'b', 'hard.json'))
    const again = { password: 'a second good password', newPassword: 'a third good password' }
    expect(await errorOf(createFileKeystore({ path: keystore }).changePassword(again))).toMatchObject({
      code: 'KEYSTORE_WRITE_FAILED',
    })
  })
})
