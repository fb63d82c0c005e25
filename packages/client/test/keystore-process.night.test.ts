import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isTransactionSigned, parseAddress, sha256Hex, toAmount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { readKeystoreCopy, readKeystoreFile } from '../src/node/keystore-files.ts'
import { createFileKeystore, createWorkerSigner, encryptWallet, walletFromPrivateKey } from '../src/node.ts'
import { canary } from './support/canary-spellings.mjs'

const { privateKey, password } = canary
const wallet = walletFromPrivateKey(privateKey)
const child = fileURLToPath(new URL('./keystore/child.mjs', import.meta.url))

let texts: readonly string[] = []
beforeAll(async () => {
  texts = [await encryptWallet({ wallet, password }), await encryptWallet({ wallet, password })]
})

let folder = ''
let path = ''
const running = new Set<ChildProcess>()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-keystore-'))
  path = join(folder, 'key.json')
})
afterEach(async () => {
  for (const program of running) program.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

type Shell = { readonly before?: string; readonly uid?: number | undefined }

/** Starts the program, in a shell where something has to be said first. */
function start(act: string, { before = '', uid }: Shell = {}): ChildProcess {
  const given = JSON.stringify({ act, path, privateKey, password, texts })
  const program = spawn('/bin/sh', ['-c', `${before}exec "$0" "$@"`, process.execPath, child, given], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid }),
  })
  running.add(program)
  program.once('exit', () => running.delete(program))
  return program
}

const firstWord = async (program: ChildProcess): Promise<string> => {
  const [chunk] = (await once(program.stdout ?? program, 'data')) as [Buffer]
  return chunk.toString().trim()
}

/** Each starts a program. */
const KILLS = gateSize('HAILSTONE_KILLS', 25)

describe('T2: a program that is killed while it writes a keystore', () => {
  it('leaves the older or the newer one, whole, and a lock that the next one gets over', async () => {
    await writeFile(path, texts[0] ?? '', { mode: 0o600 })
    for (let kill = 0; kill < KILLS; kill++) {
      const program = start('rewrite')
      expect(await firstWord(program)).toBe('ready')
      await new Promise((done) => setTimeout(done, Number.parseInt(sha256Hex(`${kill}`).slice(0, 2), 16) / 4))
      program.kill('SIGKILL')
      await once(program, 'exit')
      const { text, isFromCopy } = await readKeystoreFile(path)
      expect(texts).toContain(text)
      expect(isFromCopy).toBe(false)
      expect([...texts, undefined]).toContain(await readKeystoreCopy(path))
    }
    const keystore = createFileKeystore({ path })
    expect((await keystore.unlock({ password })).wallet.address).toBe(wallet.address)
    await keystore.save({ wallet, password: 'battery staple' })
    expect((await keystore.unlock({ password: 'battery staple' })).writeFault).toBeUndefined()
  })
})

describe('another program', () => {
  it('T6: that writes the keystore is named, until it is gone', async () => {
    const program = start('hold')
    expect(await firstWord(program)).toBe('ready')
    const keystore = createFileKeystore({ path })
    const error = await keystore.save({ wallet, password }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'KEYSTORE_LOCKED', facts: { path, processId: program.pid } })
    program.kill('SIGKILL')
    await once(program, 'exit')
    await keystore.save({ wallet, password })
  })
})

describe('a disk that takes nothing', () => {
  it('T1: because it is full, is reported, and what was there stays', async () => {
    await writeFile(path, texts[0] ?? '', { mode: 0o600 })
    // The limit of a file's size stands for the end of the disk: the same write fails, for the same reason.
    expect(await firstWord(start('save', { before: 'ulimit -f 0; ' }))).toBe(
      'KEYSTORE_WRITE_FAILED: the file may not grow any more',
    )
    expect(await readFile(path, 'utf8')).toBe(texts[0])
  })

  it('T9: because its folder is read-only, is reported', async () => {
    await chmod(folder, 0o555)
    // Root may write anywhere, so it has to be somebody else.
    const uid = process.getuid?.() === 0 ? 65_534 : undefined
    expect(await firstWord(start('save', { uid }))).toBe('KEYSTORE_WRITE_FAILED: access is denied')
  })
})

it('a worker thread opens the file and signs, and this thread never has the key', async () => {
  await writeFile(path, texts[0] ?? '', { mode: 0o600 })
  const file = new URL('./keystore/signer-worker.mjs', import.meta.url)
  const worker = new Worker(file, { workerData: { path, password }, execArgv: [] })
  const signer = await createWorkerSigner({ port: worker })
  expect(signer.address).toBe(wallet.address)
  const to = parseAddress(`02${'ab'.repeat(32)}`)
  const fields = {
    amount: toAmount(5n),
    data: '',
    from: wallet.address,
    nonce: 7,
    tokenId: ZERO_TOKEN_ID,
    to,
  }
  const transaction = await signer.signTransaction(fields)
  expect(isTransactionSigned(transaction)).toBe(true)
  expect(transaction).toStrictEqual(wallet.signTransaction(fields))
  await worker.terminate()
  const late = Promise.resolve(signer.signTransaction(fields)).catch((error: unknown) => error)
  expect(await late).toMatchObject({ code: 'SIGNER_FAILED', facts: { reason: 'the worker ended' } })
})
