import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const key = sha256Hex('wallet of the commands')
const { address } = walletFromPrivateKey(key)
/** Account 0 of the phrase every BIP-39 program tests with. */
const phrase = `${'abandon '.repeat(11)}about`
const password = 'a password of the commands'
const COIN = 10n ** 10n

let network: LocalNetwork
let world: CommandWorld
let keyFile = ''
let passwordFile = ''
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'wallet', blockTimeMs: 400 })
  await network.control.fund(walletFromPrivateKey(key).address, 100n * COIN)
  world = await createCommandWorld()
  keyFile = await world.keyFile('plain.key', key)
  passwordFile = await world.keyFile('password', password)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await network.stop()
})

const at = (name: string) => join(world.folder, name)
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('hailstone wallet', () => {
  it('makes an account in an encrypted file, shows it without a password, and never overwrites it', async () => {
    const out = at('new.keystore')
    const make = ['wallet', 'new', '--out', out, '--password-file', passwordFile, '--json']
    const made = await world.run(make)
    expect(made.code).toBe(0)
    const { address: own, file } = JSON.parse(made.out) as { address: string; file: string }
    expect(file).toBe(out)
    expect(await modeOf(out)).toBe('600')
    const [shown, again, wrong, nowhere, short] = await Promise.all([
      world.runHere(['wallet', 'show', '--key-file', out, '--json']),
      world.runHere(make),
      world.runHere(['wallet', 'export', '--key-file', out, '--password-file', keyFile, '--reveal']),
      world.runHere(['wallet', 'export', '--key-file', out, '--password-file', passwordFile]),
      world.runHere([
        'wallet',
        'new',
        '--out',
        at('short'),
        '--password-file',
        await world.keyFile('s', 'short'),
      ]),
    ])
    expect(JSON.parse(shown.out)).toMatchObject({ address: own })
    expect(again.code).toBe(4)
    expect(JSON.parse(again.out)).toMatchObject({ code: 'KEYSTORE_EXISTS', exitCode: 4 })
    expect(again.out).toContain('never overwritten')
    expect(wrong.code).toBe(4)
    expect(wrong.out).toBe('')
    expect(nowhere.code).toBe(2)
    expect(short.code).toBe(4)
  })

  it('imports hex and words, and exports what it imported', async () => {
    const [hex, words, wrongWords, nonsense] = await Promise.all([
      world.runHere(['wallet', 'import', '--out', at('hex.key'), '--plain', '--json'], { input: `00${key}` }),
      world.runHere(['wallet', 'import', '--out', at('words.key'), '--plain', '--json'], { input: phrase }),
      world.runHere(['wallet', 'import', '--out', at('wrong.key'), '--plain'], { input: `${phrase} about` }),
      world.runHere(['wallet', 'import', '--out', at('none.key'), '--plain'], { input: 'nonsense' }),
    ])
    expect(JSON.parse(hex.out)).toMatchObject({ address })
    expect(await modeOf(at('hex.key'))).toBe('600')
    expect((await readFile(at('hex.key'), 'utf8')).trim()).toBe(key)
    expect(words.code).toBe(0)
    expect(wrongWords.code).toBe(4)
    expect(nonsense.code).toBe(4)
    const store = ['wallet', 'import', '--out', at('hex.keystore'), '--password-file', passwordFile]
    expect((await world.runHere(store, { input: key })).code).toBe(0)
    const open = ['--key-file', at('hex.keystore'), '--password-file', passwordFile]
    const revealed = await world.runHere(['wallet', 'export', ...open, '--reveal'])
    expect(revealed.out).toBe(`${key}\n`)
    expect((await world.runHere(['wallet', 'export', ...open, '--out', at('hex.key')])).code).toBe(4)
  })
})

describe('hailstone send', () => {
  const to = walletFromPrivateKey(sha256Hex('receiver')).address
  const pay = (...more: readonly string[]) => {
    const order = ['--to', to, '--amount', '20', '--json', ...more]
    return ['send', '--api', network.apiUrl, '--key-file', keyFile, ...order]
  }

  it('pays once for one name, shows what it signs, and waits until it is settled', async () => {
    const first = await world.run(pay('--yes', '--idempotency-key', 'order 1'))
    expect(first.code).toBe(0)
    const lines = first.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({
      event: 'prepared',
      to,
      amount: String(20n * COIN),
      fee: String(COIN / 10n),
    })
    expect(lines.at(-1)).toMatchObject({ event: 'payment', status: 'confirmed', isFinal: true })
    const again = await world.run(pay('--yes', '--idempotency-key', 'order 1'))
    expect(again.code).toBe(0)
    // The same result is printed again.
    expect(JSON.parse(again.out.trim())).toEqual({ ...lines.at(-1), at: expect.any(String) })
    expect(network.balance(to)).toBe(20n * COIN - COIN / 10n)
  })

  it('pays in a token by its symbol, with the id that it signs; of several with one symbol in none', async () => {
    const [{ address: payer, privateKey } = network.accounts.tokenOwner] = network.accounts.developers
    const ofPayer = await world.keyFile('developer.key', privateKey)
    const { id } = await network.tokens.create({ symbol: 'SOLE', supply: 1_000n, decimals: 2 })
    const order = ['--to', to, '--amount', '2', '--token', 'SOLE']
    const words = ['send', '--api', network.apiUrl, '--key-file', ofPayer, ...order]
    const paid = await world.run([...words, '--yes'])
    expect(paid.code).toBe(0)
    const agreed = paid.out.indexOf(`token     ${id}`)
    expect(agreed).toBeGreaterThan(-1)
    expect(paid.out.indexOf('sent', agreed)).toBeGreaterThan(agreed)
    const left = network.balance(payer, id)
    expect(left).toBe(800n)
    const other = await network.tokens.create({ symbol: 'SOLE', supply: 1_000n, decimals: 2 })
    const refused = await world.run([...words, '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(id)
    expect(refused.err).toContain(other.id)
    const unknown = await world.run([...words, '--yes', '--token', 'NONE'])
    expect(unknown.code).toBe(27)
    expect(network.balance(payer, id)).toBe(left)
  })

  it('takes up what a killed process left, without paying twice', async () => {
    const before = network.balance(to)
    const killed = world.start(pay('--yes', '--idempotency-key', 'order 2'))
    await world.until(() => killed.out().includes('"status":"sent"'), 'it was sent')
    killed.process.kill('SIGKILL')
    await killed.ended
    const resumed = await world.run(['send', '--api', network.apiUrl, '--key-file', keyFile, '--resume'])
    expect(resumed.code).toBe(0)
    expect(network.balance(to) - before).toBe(20n * COIN - COIN / 10n)
  })

  it('U4: an order is the same payment where the journal is not the one that paid', async () => {
    const before = network.balance(to)
    const restored = ['--yes', '--data', at('restored'), '--idempotency-key']
    const found = await world.run(pay(...restored, 'order 1'))
    expect(found.code).toBe(0)
    expect(found.out).toContain('"status":"confirmed"')
    expect(network.balance(to)).toBe(before)
    // Equal to order 2, which that journal does not have: it may be the same order.
    const alike = await world.run(pay(...restored, 'order 3'))
    expect(alike.code).toBe(23)
    expect(alike.out).toContain('JOURNAL_BEHIND')
    expect((await world.run(pay(...restored, 'order 3', '--memo', 'order 3'))).code).toBe(0)
    expect(network.balance(to) - before).toBe(20n * COIN - COIN / 10n)
  })

  it('asks, refuses fees above the cap, and does not pay what would be rejected', async () => {
    const [unasked, small, cap, hopeless] = await Promise.all([
      world.run(pay()),
      world.run(['send', '--api', network.apiUrl, '--key-file', keyFile, '--amount', '1']),
      world.run([...pay('--yes'), '--max-fee', '0.05', '--data', at('d1')]),
      world.run([...pay('--yes').map((word) => (word === '20' ? '200000' : word)), '--data', at('d2')]),
    ])
    expect(unasked.code).toBe(2)
    expect(small.code).toBe(2)
    expect(JSON.parse(cap.out)).toMatchObject({ code: 'FEE_ABOVE_CAP', exitCode: 20 })
    expect(JSON.parse(cap.out).message).toContain('a fee of 0.1 DEV; feeCap allows 0.05 DEV')
    expect(JSON.parse(cap.out).nextStep).toContain('--max-fee 0.1.')
    expect(JSON.parse(hopeless.out)).toMatchObject({ code: 'PAYMENT_HOPELESS', exitCode: 20 })
  })
})

describe('hailstone send and an API that refuses', () => {
  it('says what the API said', async () => {
    const to = walletFromPrivateKey(sha256Hex('receiver behind a refusal')).address
    const refusal = JSON.stringify({ err: 1, message: 'the node is busy' })
    await using api = await alteredApi(network.apiUrl, (method, original) =>
      method === 'POST' ? refusal : original(),
    )
    const where = ['--key-file', keyFile, '--data', at('refused')]
    const order = ['--to', to, '--amount', '1', '--yes']
    const sent = world.start(['send', '--api', api.url, ...where, ...order])
    await world.until(() => sent.out().includes('the node is busy'), 'the refusal is shown')
    // The command waits until the refusal is final, which takes some blocks.
    sent.process.kill('SIGTERM')
    const { code, out } = await sent.ended
    expect(out).toMatch(/^(refused|uncertain) .*\n {11}.*the node is busy/m)
    expect(code).toBe(22)
    expect(network.balance(to)).toBe(0n)
  })
})

describe('hailstone send and an API that lies about decimals', () => {
  const to = walletFromPrivateKey(sha256Hex('far receiver')).address

  it.each([12, 9])('signs nothing when the API says %i decimals for the native token', async (lie) => {
    await using api = await alteredApi(network.apiUrl, async (_method, original) =>
      (await original()).replace(/"decimals":\s*\d+/g, `"decimals":${lie}`),
    )
    const order = ['--to', to, '--amount', '1', '--yes', '--json', '--data', at(`lie ${lie}`)]
    const ended = await world.runHere(['send', '--api', api.url, '--key-file', keyFile, ...order])
    expect(ended.code).toBe(24)
    const reported = ended.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reported.map(({ event }) => event)).toEqual(['error'])
    // More decimals than a token may have are no answer of the protocol at all.
    expect(reported[0].code).toBe(lie > 10 ? 'RESPONSE_INVALID' : 'DECIMALS_DIFFER')
    if (lie <= 10) expect(reported[0].message).toMatch(/has 10 decimals; got 9\.$/)
    expect(reported[0].nextStep).toContain('another API')
    expect(network.balance(to)).toBe(0n)
  })

  it('shows the units of a token whose decimals the API alone names', async () => {
    const [creator] = network.accounts.developers
    const from = creator as NonNullable<typeof creator>
    const token = await network.tokens.create({ symbol: 'UNIT', supply: 1_000_000n, decimals: 4, from })
    const fromFile = await world.keyFile('unit.key', from.privateKey)
    const where = ['--api', network.apiUrl, '--data', at('unit'), '--key-file', fromFile]
    const order = ['--to', to, '--amount', '20', '--token', token.id, '--yes', '--max-fee', '20']
    const { code, out } = await world.runHere(['send', ...where, ...order])
    expect(code).toBe(0)
    expect(out).toContain('units     200000, by 4 decimals as the API says')
  })
})

describe('hailstone send and a token that one answer does not have', () => {
  const to = walletFromPrivateKey(sha256Hex('receiver of a token')).address

  /** Pays 25 coins of a token with 2 decimals, over an API that says of it what the script says. */
  async function payOver(name: string, said: (count: number, original: string) => string) {
    const [creator] = network.accounts.developers
    const from = creator as NonNullable<typeof creator>
    const token = await network.tokens.create({ symbol: 'CENT', supply: 5_000_000_000n, decimals: 2, from })
    const fromFile = await world.keyFile(`${name}.key`, from.privateKey)
    let [count, posted] = [0, 0]
    await using api = await alteredApi(network.apiUrl, async (method, original, path) => {
      if (method === 'POST') posted++
      const text = await original()
      return path.includes(`/token_info?hash=${token.id}`) ? said(count++, text) : text
    })
    const order = ['--to', to, '--amount', '25', '--token', token.id, '--yes', '--max-fee', '1']
    const words = ['send', '--api', api.url, '--key-file', fromFile, '--data', at(name), ...order]
    const { code, err } = await world.runHere(words)
    return { code, err, posted, received: network.balance(to, token.id) }
  }

  it('M2: pays what was typed when the first answers have nothing', async () => {
    const late = (count: number, original: string) => (count < 2 ? '[]' : original)
    expect(await payOver('late', late)).toMatchObject({ code: 0, posted: 1, received: 2_500n })
  })

  it('M2: pays nothing when no answer has it, and says what to do', async () => {
    const ended = await payOver('nowhere', () => '[]')
    expect(ended).toMatchObject({ code: 13, posted: 0 })
    expect(ended.err).toContain('Nothing was signed.')
    expect(ended.err).toContain('try again in a minute')
  })

  it('M2: pays nothing when two answers differ in the decimals, and names both figures', async () => {
    const other = (count: number, original: string) =>
      count === 0 ? original.replace(/"decimals":\s*2/, '"decimals":6') : original
    const ended = await payOver('twice', other)
    expect(ended).toMatchObject({ code: 24, posted: 0 })
    expect(ended.err).toMatch(/named 6 decimals .* and 2 when it was to be signed/)
  })
})

describe('hailstone send and an idempotency key', () => {
  it.each(['', ' '])('M3: is not one if it is %j', async (key) => {
    const order = ['--to', address, '--amount', '1', '--yes', '--idempotency-key', key]
    const { code, err } = await world.runHere([
      'send',
      '--api',
      network.apiUrl,
      '--key-file',
      keyFile,
      '--data',
      at('empty'),
      ...order,
    ])
    expect(code).toBe(2)
    expect(err).toContain('--idempotency-key is empty')
  })
})

describe('hailstone send and a high fee', () => {
  it.each([
    ['of the token', 'DEAR', { kind: 'fixed', units: 5_000n }, '0.5'],
    ['in native coins', 'TOLL', { kind: 'native', units: (3n * COIN) / 2n }, '1.5'],
    ['of half a native coin', 'HALF', { kind: 'native', units: COIN / 2n }, '0.5'],
  ] as const)(
    '%s: takes it unasked only when --max-fee names it, and says how',
    async (_, symbol, fee, coins) => {
      const [creator] = network.accounts.developers
      const from = creator as NonNullable<typeof creator>
      const token = await network.tokens.create({ symbol, supply: 1_000_000n, decimals: 4, fee, from })
      const fromFile = await world.keyFile(`${symbol}.key`, from.privateKey)
      const words = ['--to', `02${'7'.repeat(64)}`, '--amount', '20', '--token', token.id, '--yes', '--json']
      const options = ['--api', network.apiUrl, '--key-file', fromFile, '--data', at(symbol)]
      const refused = await world.runHere(['send', ...words, ...options])
      expect(JSON.parse(refused.out)).toMatchObject({ code: 'FEE_ABOVE_CAP', exitCode: 20 })
      expect(JSON.parse(refused.out).nextStep).toBe(`If you agree to it, allow it with --max-fee ${coins}.`)
      expect((await world.runHere(['send', ...words, ...options, '--max-fee', coins])).code).toBe(0)
    },
  )
})

describe('hailstone wallet and a file that is there', () => {
  it('names the owner of the key in it, or says that it is no key', async () => {
    const taken = await world.runHere(['wallet', 'new', '--plain', '--out', keyFile, '--json'])
    expect(taken.code).toBe(4)
    expect(JSON.parse(taken.out).message).toContain(address)
    const note = await world.keyFile('note.txt', 'shopping list')
    const other = await world.runHere(['wallet', 'new', '--plain', '--out', note, '--json'])
    expect(JSON.parse(other.out)).toMatchObject({ code: 'KEYSTORE_EXISTS' })
    expect(JSON.parse(other.out).message).toContain('a file that may hold a key')
    expect((await readFile(note, 'utf8')).trim()).toBe('shopping list')
  })
})

describe('hailstone watch', () => {
  it('ends in order when the reader of its output goes away, as `head` does', async () => {
    const fallback = network.accounts.fallbackMiner.address
    const watch = world.start([
      ...['watch', 'rewards', fallback, '--api', network.apiUrl],
      ...['--from', 'first', '--json'],
    ])
    await world.until(() => watch.lines().length > 0, 'the first reward was printed')
    watch.process.stdout?.destroy()
    expect((await watch.ended).code).toBe(0)
  })

  it('tells people rewards in coins', async () => {
    const fallback = network.accounts.fallbackMiner.address
    const rewards = world.start([
      'watch',
      'rewards',
      '--api',
      network.apiUrl,
      '--address',
      fallback,
      '--from',
      'first',
    ])
    await world.until(() => /\n.*\n/.test(rewards.out()), 'it told two')
    rewards.process.kill('SIGTERM')
    const { code, out } = await rewards.ended
    expect(code).toBe(0)
    for (const line of out.trim().split('\n')) {
      expect(line).toMatch(/^#\d+ {2}\w+ {2}\d+(\.\d+)? DEV {2}(block \d+ {2})?[0-9a-f]{64}$/)
    }
  })

  it('tells rewards that a reorganised chain takes back, under the names of the library', async () => {
    const fallback = network.accounts.fallbackMiner.address
    const where = ['--api', network.apiUrl, '--address', fallback, '--json']
    const rewards = world.start(['watch', 'rewards', ...where, '--from', 'first'])
    const isNew = () => rewards.lines().some(({ height }) => Number(height) >= network.height() - 3)
    await world.until(isNew, 'a reward of one of the newest blocks was printed')
    await network.control.reorganise(4)
    const { recordHash } = await rewards.event('reverted')
    expect(rewards.lines().some((line) => line.event === 'rewarded' && line.recordHash === recordHash)).toBe(
      true,
    )
    rewards.process.kill('SIGTERM')
    expect((await rewards.ended).code).toBe(0)
  })

  it('tells rewards from the first on and balances with their height, until a signal', async () => {
    const fallback = network.accounts.fallbackMiner.address
    const where = ['--api', network.apiUrl, '--address', fallback, '--json']
    const rewards = world.start(['watch', 'rewards', ...where, '--from', 'first'])
    const balance = world.start(['watch', 'balance', ...where])
    await world.until(() => rewards.lines().length >= 2 && balance.lines().length >= 2, 'they reported')
    rewards.process.kill('SIGTERM')
    balance.process.kill('SIGINT')
    expect((await rewards.ended).code).toBe(0)
    expect((await balance.ended).code).toBe(0)
    const numbers = rewards.lines().map((line) => Number(line.index))
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    expect(numbers[0]).toBe(0)
    expect(rewards.lines()[0]).toMatchObject({ event: 'rewarded', address: fallback })
    const [line] = rewards.lines()
    expect(Date.parse(String(line?.at))).toBeGreaterThan(Number(line?.timeMs))
    expect(balance.lines().at(-1)).toMatchObject({
      event: 'balanceChanged',
      symbol: 'DEV',
      isKnown: true,
      address: fallback,
    })
    expect(balance.lines().at(-1)?.height).toEqual(expect.any(Number))
  })
})

describe('hailstone fleet', () => {
  it('mines with every key of a file, and refuses the bad one alone', async () => {
    const keys = network.accounts.developers.map(({ privateKey }) => privateKey)
    const keysFile = await world.keyFile('keys', ['# developers', ...keys, 'nonsense', ''].join('\n'))
    const fleet = world.start([
      ...['fleet', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--keys-file', keysFile],
      ...['--block-time', '400ms', '--threads', '1', '--health-port', '0', '--json'],
    ])
    const { port } = await fleet.event('healthServed')
    await fleet.event('included')
    const refused = await fleet.event('keyRefused')
    expect(refused).toMatchObject({ index: 5, error: { code: 'PRIVATE_KEY_MALFORMED' } })
    const { nodes, isReady } = await (await fetch(`http://127.0.0.1:${port}/health`)).json()
    expect(nodes).toMatchObject({ total: 5, refused: 1 })
    expect(isReady).toBe(true)
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(metrics).toMatch(/^hailstone_fleet_nodes 5$/m)
    fleet.process.kill('SIGTERM')
    const { code, out } = await fleet.ended
    expect(code).toBe(0)
    for (const one of keys) expect(out.includes(one)).toBe(false)
  })
})

type Answer = (method: string, original: () => Promise<string>, path: string) => string | Promise<string>

/** Starts an API whose answers are computed by `answer`, which can pass the request on to the original one. */
async function alteredApi(
  apiUrl: string,
  answer: Answer,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '/' } = request
    const isPost = method === 'POST'
    const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' }
    let status = 200
    const original = async (): Promise<string> => {
      const body = isPost ? Buffer.concat(chunks) : null
      const answered = await fetch(new URL(url, apiUrl), { method, headers, body })
      status = answered.status
      return answered.text()
    }
    const text = await answer(method, original, url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${new URL(apiUrl).pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
