import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import { afterAll, expect, it } from 'vitest'
import { parseFlags } from '../src/command/parse-flags.ts'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'hailstone-dump-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing moves by the clock. */
const start = (options: LocalNetworkOptions = {}): Promise<LocalNetwork> =>
  startLocalNetwork({ blockTimeMs: 3_600_000, keepAlive: false, ...options })
const user = addressOf(parsePrivateKey(sha256Hex('a user of another network')))
const coins = (count: bigint): bigint => count * 10n ** 10n

/** A network with a user and a token of theirs that has a history. */
async function startUsed(options: LocalNetworkOptions = {}) {
  const network = await start({ seed: 'dumped', ...options })
  await network.control.fund(user, coins(40n))
  await network.control.fund(user, coins(7n), network.tokens.mineable.id)
  return network
}

it('a chain goes on from a dump, in memory and in a folder, also back before it', async () => {
  await using first = await startUsed()
  const load = await first.control.dump()
  const height = first.height()
  const path = join(folder, 'bytes.chain')
  writeFileSync(path, load)
  for (const place of [{ load }, { load: path, dataDirectory: join(folder, 'chain') }]) {
    await using second = await start(place)
    expect([second.seed, second.height(), second.balance(user)]).toStrictEqual(['dumped', height, coins(40n)])
    await second.control.fund(user, coins(1n))
    expect(second.balance(user)).toBe(coins(41n))
    await second.control.reorganise(3, { keepTransactions: false })
    expect(second.balance(user)).toBe(0n)
  }
  expect(first.balance(user)).toBe(coins(40n))
})

it('refuses what is no dump, half of one, and a folder that has a chain', async () => {
  await using network = await startUsed({ dataDirectory: join(folder, 'used') })
  const load = await network.control.dump()
  await network.stop()
  const refusal = (options: LocalNetworkOptions) =>
    start(options).then(
      () => 'it started',
      (error: Error) => error.message,
    )
  expect(await refusal({ load: Buffer.from('{"a":1}\n') })).toContain('the file is no dump of a network')
  expect(await refusal({ load: load.subarray(0, load.length / 2) })).toContain('damaged or not whole')
  expect(await refusal({ load, dataDirectory: join(folder, 'used') })).toContain('--reset')
  expect(await refusal({ load, fork: { apiUrl: network.apiUrl, accounts: [user] } })).toContain('fork')
  await using again = await start({ load, dataDirectory: join(folder, 'used'), reset: true })
  expect(again.balance(user)).toBe(coins(40n))
})

it('begins with balances and tokens of another network, which stay when the chain goes back', async () => {
  const nativeTokenId = `${'0'.repeat(63)}1`
  await using other = await startUsed({ nativeTokenId })
  const { id, symbol } = other.tokens.mineable
  const options = { seed: 'forked', fork: { apiUrl: other.apiUrl, accounts: [user, user] } }
  const dataDirectory = join(folder, 'forked')
  await using network = await start({ ...options, dataDirectory })
  expect(network.tokens.native.id).toBe(nativeTokenId)
  expect([network.balance(user), network.balance(user, id)]).toStrictEqual([coins(40n), coins(7n)])
  const answer = await fetch(`${network.apiUrl}/token_info?hash=${id}`)
  expect(await answer.json()).toMatchObject([{ hash: id, ticker: symbol, minable: 1 }])
  await network.control.mine(2)
  await network.control.fund(user, coins(1n))
  await network.control.reorganise(2, { keepTransactions: false })
  expect([network.balance(user), network.balance(user, id)]).toStrictEqual([coins(40n), coins(7n)])
  expect(other.height()).toBe(2)

  const { address } = network.accounts.developers[0]
  const ofOne = { seed: 'forked', fork: { apiUrl: network.apiUrl, accounts: [address] } }
  await expect(start(ofOne)).rejects.toThrow(/"seed".*another one than that of the forked network/)

  await network.stop()
  await expect(start({ ...options, dataDirectory })).rejects.toThrow('used with a new chain')
  await using later = await start({ dataDirectory })
  expect(later.balance(user, id)).toBe(coins(7n))
})

it.each([
  [['--load', join(folder, 'none')], /--load/],
  [['--dump', join(folder, 'none', 'file')], /--dump/],
  [['--fork', 'api.example', '--account', user], /--fork/],
  [['--fork', 'https://api.example/api/v1'], /--account/],
  [['--account', user], /--fork/],
])('the command refuses %j', (words, sentence) => {
  expect(() => parseFlags(words)).toThrow(sentence)
})

it('the command writes its chain when it is interrupted, and begins with it again', async () => {
  const file = join(folder, 'end.chain')
  const bin = new URL('../dist/bin.js', import.meta.url).pathname
  const ports = ['--port', '0', '--gateway-port', '0', '--memory']
  async function run(...words: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [bin, ...ports, ...words], { cwd: folder })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk
      })
    await expect.poll(() => printed).toMatch(/THAW/)
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGINT')
    expect(await ended, printed).toBe(0)
    return printed
  }
  expect(await run('--seed', 'by command', '--dump', file)).toContain(`is in ${file}`)
  expect(existsSync(file)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toStrictEqual([])
  expect((await readFile(file)).length).toBeLessThan(8_000_000)
  expect(await run('--load', file)).toMatch(/Seed +by command/)
})
