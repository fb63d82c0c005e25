import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import * as protocol from '@hailstone/protocol'
import { parseAddress, sha256Hex, toAmount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import * as mnemonic from '../src/mnemonic/index.ts'
import * as node from '../src/node.ts'
import { canary, findCanary } from './support/canary-spellings.mjs'
import { shownForms } from './support/shown-forms.ts'

const { privateKey, password } = canary
const wallet = node.walletFromPrivateKey(privateKey)
const to = parseAddress(`02${'ab'.repeat(32)}`)
const fields = { amount: toAmount(5n), data: '', from: wallet.address, nonce: 7, tokenId: ZERO_TOKEN_ID, to }

type AnyFunction = (...parameters: readonly unknown[]) => unknown

const errorOf = async (act: () => unknown): Promise<unknown> => {
  try {
    await act()
    return undefined
  } catch (error) {
    return error
  }
}

/** Returns the text that `RegExp` keeps of its last match, which every script of the program can read. */
const remembered = (): string =>
  ['input', 'lastMatch', 'leftContext', 'rightContext', '$1', '$2']
    .map((name) => Reflect.get(RegExp, name))
    .join('\n')

describe('the search itself', () => {
  it('finds the secrets wherever they are, in whatever spelling', () => {
    const bytes = Buffer.from(privateKey, 'hex')
    class Hidden {
      get key() {
        return privateKey
      }
    }
    const places: readonly unknown[] = [
      { deep: [{ key: privateKey }] },
      { [Symbol('key')]: privateKey },
      new Error('x', { cause: new Error(privateKey.toUpperCase()) }),
      new Map([['key', bytes]]),
      new Hidden(),
      Object.defineProperty({}, 'hidden', { value: privateKey, enumerable: false }),
      { key: BigInt(`0x${privateKey}`) },
      { key: bytes.toString('base64') },
      { key: [...bytes] },
      { password },
      Object.assign(() => undefined, { key: privateKey }),
    ]
    for (const place of places) expect(findCanary(shownForms(place)), shownForms(place)).not.toStrictEqual([])
    expect(findCanary(shownForms({ address: wallet.address }))).toStrictEqual([])
  })
})

describe('S-4, M1: neither key nor password is seen', () => {
  let network: LocalNetwork
  let folder = ''
  let wire = ''
  const logged: unknown[] = []
  const events: unknown[] = []
  const objects: { [name: string]: unknown } = {}

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hailstone-secrecy-'))
    network = await startLocalNetwork({
      seed: 'secrecy',
      blockTimeMs: 3_600_000,
      keepAlive: true,
      faucetWaitMs: 0,
    })
    const recorded = await recordingProxy(network.apiUrl, (bytes) => {
      wire += bytes
    })
    const log = (...line: unknown[]) => logged.push(line)
    const logger = { debug: log, info: log, warn: log, error: log }
    const client = node.createClient({ apiUrl: recorded.apiUrl, logger })
    const keystore = node.createFileKeystore({ path: join(folder, 'key.json') })
    await keystore.save({ wallet, password })
    const unlocked = await keystore.unlock({ password })
    const journal = await node.openFileJournal({ path: join(folder, 'journal') })
    const payments = await node.createPayments({ client, wallet: unlocked.wallet, journal, pollMs: 50 })
    payments.subscribe((event) => events.push(event))

    await client.requestTestCoins({ address: wallet.address })
    await network.closeNow()
    await network.closeNow()
    const sent = await client.sendTransaction({ wallet, to, amount: toAmount(10n ** 10n) })
    const payment = await payments.pay({
      to,
      amount: toAmount(10n ** 10n),
      memo: 'order 1',
      feeCap: { units: toAmount(10n ** 10n) },
    })
    await network.closeNow()
    const settled = await client.waitForTransaction({ hash: sent.hash, pollMs: 50 })

    const { port1, port2 } = new MessageChannel()
    node.serveSigner({ port: port2, signer: wallet })
    const workerSigner = await node.createWorkerSigner({ port: port1 })
    const answers: unknown[] = []
    port1.on('message', (message) => answers.push(message))
    await workerSigner.signTransaction(fields)

    const hail = wallet.signHail({ host: 'gateway.example', tokenId: ZERO_TOKEN_ID })
    Object.assign(objects, {
      wallet,
      unlocked,
      workerSigner,
      answers,
      client,
      keystore,
      payments,
      payment,
      journal,
    })
    Object.assign(objects, {
      sent,
      settled,
      hail,
      transaction: wallet.signTransaction(fields),
      events,
      logged,
    })
    Object.assign(objects, { document: node.parseKeystore(await keystore.readText()) })
    Object.assign(objects, { entry: node, protocol, mnemonic, remembered: remembered() })
    await payments.close()
    await client.close()
    await recorded.close()
    port1.close()
  })
  afterAll(async () => {
    await network?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('in any public object, however it is shown', () => {
    expect(Object.keys(objects).length).toBeGreaterThan(15)
    const seen = Object.entries(objects).filter(([, value]) => findCanary(shownForms(value)).length > 0)
    expect(seen.map(([name]) => name)).toStrictEqual([])
    expect(events.length).toBeGreaterThan(0)
  })

  it('in any byte that went to the network or came from it', () => {
    expect(wire).toContain(wallet.address)
    expect(findCanary(wire)).toStrictEqual([])
  })

  it('in any file, the keystore and the journal among them', async () => {
    const names = await readdir(folder)
    expect(names).toContain('key.json')
    expect(names).toContain('journal')
    for (const name of names)
      expect(findCanary(await readFile(join(folder, name), 'latin1')), name).toStrictEqual([])
  })

  it('in the error of any function that gets them where they do not belong', async () => {
    const inFiles = ['createFileKeystore', 'openFileJournal']
    const everything: { readonly [name: string]: unknown } = { ...protocol, ...node, ...mnemonic }
    const functions = Object.entries(everything).flatMap(([name, value]) =>
      typeof value === 'function' && !inFiles.includes(name) ? [{ name, act: value as AnyFunction }] : [],
    )
    const names = [
      'address',
      'text',
      'to',
      'from',
      'tokenId',
      'hash',
      'host',
      'data',
      'memo',
      'apiUrl',
      'signature',
    ]
    const given = (secret: string): readonly (readonly unknown[])[] => {
      const signal = AbortSignal.timeout(100)
      const all: object = Object.fromEntries(
        [...names, 'amount', 'nonce', 'password', 'name'].map((name) => [name, secret]),
      )
      const client = node.createClient({ apiUrl: 'http://127.0.0.1:1', retry: { maxAttempts: 1 } })
      return [
        [secret],
        [secret, secret],
        [all],
        [secret, all],
        [all, all],
        [client, { ...all, signal }],
        [{ ...all, wallet, port: secret }],
      ]
    }
    let failed = 0
    const seen: string[] = []
    for (const { name, act } of functions) {
      // With two digits more it is no hash either, so that nothing takes it for one and asks a network.
      for (const parameters of [
        ...given(`0x${privateKey}`),
        ...given(`${privateKey} ${privateKey}`),
        [{ wallet, text: 'nonsense', password, newPassword: password, passphrase: password }],
      ]) {
        const error = await errorOf(() => act(...parameters))
        if (error === undefined) continue
        failed++
        if (findCanary(shownForms(error)).length > 0 && protocol.isNodeError(error))
          seen.push(`${name} ${error.code}`)
      }
    }
    expect(failed).toBeGreaterThan(200)
    expect(seen).toStrictEqual([])
  })

  it('in what regular expressions remember', async () => {
    const text = await node.encryptWallet({ wallet, password })
    const acts: readonly (() => unknown)[] = [
      () => node.walletFromPrivateKey(privateKey),
      () => node.walletFromPrivateKey(`00${privateKey}`),
      () => errorOf(() => node.walletFromPrivateKey(`${privateKey}0`)),
      () => wallet.signTransaction(fields),
      () => node.encryptWallet({ wallet, password }),
      () => node.decryptWallet({ text, password }),
      () => errorOf(() => parseAddress(privateKey)),
    ]
    for (const act of acts) {
      await act()
      expect(findCanary(remembered()), act.toString()).toStrictEqual([])
    }
  })
})

type Ending = { readonly output: string; readonly status: number | null }

/** Runs a program of its own to its end, whatever that is. */
async function ended(
  name: string,
  options: { args?: readonly string[]; flags?: readonly string[]; input: unknown },
): Promise<Ending> {
  const { args = [], flags = [], input } = options
  const file = fileURLToPath(new URL(`./keystore/${name}.mjs`, import.meta.url))
  const program = spawn(process.execPath, [...flags, file, ...args], { stdio: 'pipe' })
  let output = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (output += chunk))
  program.stdin.end(JSON.stringify(input))
  const [status] = (await once(program, 'close')) as [number | null]
  return { output, status }
}

describe('a program that crashes', () => {
  it.each(['rejection', 'password', 'exception', 'wallet', 'signer'])(
    'M3: prints neither key nor password, nor writes them into its report, after a %s',
    async (how) => {
      const folder = await mkdtemp(join(tmpdir(), 'hailstone-crash-'))
      const text = await node.encryptWallet({ wallet, password })
      const flags = ['--report-uncaught-exception', `--report-directory=${folder}`]
      const { output, status } = await ended('crash', {
        args: [how],
        flags,
        input: { privateKey, password, text },
      })
      expect(status).not.toBe(0)
      expect(output).toMatch(/NodeError|ERR_UNHANDLED_REJECTION|TypeError/)
      const reports = await Promise.all(
        (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
      )
      expect(reports.length).toBeGreaterThan(0)
      expect(findCanary(output + reports.join('\n'))).toStrictEqual([])
      await rm(folder, { recursive: true })
    },
  )
})

// A snapshot of a heap is hundreds of megabytes of text, which are searched twice.
describe('M2: a key that was let go', () => {
  const snapshot = async (args: readonly string[]): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-forget-'))
    const path = join(folder, 'key.json')
    await node.createFileKeystore({ path }).save({ wallet, password })
    const input = { path, password, fields: { ...fields, amount: '5' } }
    const { output, status } = await ended('forget', { args, flags: ['--expose-gc'], input })
    await rm(folder, { recursive: true })
    expect(status).toBe(0)
    expect(output).toContain('"snapshot"')
    return output
  }

  it('is found by the search while it is held, and is gone from the heap a second later', async () => {
    expect((await snapshot(['hold'])).includes(privateKey)).toBe(true)
    expect((await snapshot([])).includes(privateKey)).toBe(false)
  })
})

const KEYS = gateSize('HAILSTONE_KEYS', { change: 200_000, night: 1_000_000 })

it(`G-17, B6: keys come back as they were exported, leading zeros included, ${KEYS} of them`, () => {
  let digits: string = sha256Hex('keys')
  for (let count = 0; count < KEYS; count++) {
    // A cheap walk over all of them: every digit changes, zeros come in front often.
    const at = count % 64
    const zeros = count % 17 === 0 ? count % 63 : 0
    digits = digits.slice(at) + digits.slice(0, at)
    const text = '0'.repeat(zeros) + digits.slice(zeros)
    if (Number.parseInt(text.slice(0, 8), 16) === 0xffff_ffff) continue
    const key = protocol.parsePrivateKey(text)
    if (key !== text || protocol.parsePrivateKey(`00${key.toUpperCase()}`) !== key) expect(text).toBe(key)
  }
})

type Recorded = { readonly apiUrl: string; readonly close: () => Promise<void> }

/** Passes every byte on, and shows it. */
async function recordingProxy(apiUrl: string, show: (bytes: string) => void): Promise<Recorded> {
  const { hostname, port: far, pathname } = new URL(apiUrl)
  const server = createServer((near) => {
    const socket = createConnection({ host: hostname, port: Number(far) })
    for (const [from, into] of [
      [near, socket],
      [socket, near],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        show(chunk.toString('latin1'))
        into.write(chunk)
      })
      from.on('error', () => into.destroy())
      from.on('close', () => into.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> => new Promise((done) => server.close(() => done()))
  return { apiUrl: `http://127.0.0.1:${port}${pathname}`, close }
}
