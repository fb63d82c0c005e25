import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishedText } from '@hailstone/protocol/reference'
import { CommandLineError } from '@hailstone/runtime/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runToken } from '../src/command/token/run-token.ts'
import { writeOpenApi } from '../src/command/write-openapi.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'

const SEED = 'command'

let network: LocalNetwork
let folder: string
beforeAll(async () => {
  network = await startLocalNetwork({ seed: SEED, blockTimeMs: 200 })
  folder = await mkdtemp(join(tmpdir(), 'hailstone-'))
})
afterAll(async () => {
  await network.stop()
  await rm(folder, { recursive: true })
})

async function token(args: readonly string[], stdin = ''): Promise<string> {
  const said: string[] = []
  const input = (async function* () {
    yield stdin
  })()
  const where = ['--api', network.apiUrl, '--seed', SEED, '--timeout', '20s']
  await runToken([...args, ...where], { say: (text) => void said.push(text), stdin: input })
  return said.join('\n')
}

const idIn = (text: string): string => /^token +([0-9a-f]{64})$/m.exec(text)?.[1] ?? ''
const create = ['create', '--symbol', 'CMD', '--supply', '1000', '--decimals', '2']

function developer(number: number) {
  const account = network.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

describe('hailstone-network token', () => {
  test('creates a token, tells its transaction and, once it is confirmed, the token', async () => {
    const said = await token([...create, '--name', 'By command', '--fee', 'percent:1:0.02'])
    expect(said).toMatch(/^transaction {2}[0-9a-f]{64}$/m)
    expect(said).toContain('pays       1000.1 native coins')
    expect(said).toContain('confirmed in macroblock')
    expect(said).toContain('CMD (By command)')
    expect(said).toContain('supply     1000 CMD')
    expect(said).toContain(developer(0).address)
  })

  test('mints and burns as the owner, whose key comes from a file or from standard input', async () => {
    const owner = developer(1)
    const file = join(folder, 'key')
    await writeFile(file, `${owner.privateKey}\n`, { mode: 0o644 })
    const created = await token([...create, '--reissuable', '--key-file', file])
    expect(created).toContain(`Others on this machine may read the key in ${file}`)
    const id = idIn(created)
    const minted = await token(['mint', '--token', id, '--amount', '0.5', '--key-stdin'], owner.privateKey)
    expect(minted).toContain('supply     1000.5 CMD')
    const burned = await token(['burn', '--token', id, '--amount', '1000', '--as', 'developer-2'])
    expect(burned).toContain('supply     0.5 CMD')
  })

  test('creates a mineable token', async () => {
    const mining = '--mineable --max-supply 5000 --block-reward 1 --min-stake 10 --referral-share 2.5'
    const id = idIn(await token([...create, ...mining.split(' ')]))
    const [shown] = (await (await fetch(`${network.apiUrl}/token_info?hash=${id}`)).json()) as [object]
    expect(shown).toMatchObject({
      minable: 1,
      max_supply: 500_000,
      block_reward: 100,
      min_stake: 1000,
      referrer_stake: 1000,
      ref_share: 250,
    })
  })

  test('says so when the network rejects, and what was not charged', async () => {
    const nobody = '11'.repeat(32)
    await expect(token([...create, '--key-stdin'], nobody)).rejects.toMatchObject({ code: 'ORDER_REJECTED' })
  })

  test('finds out what would be rejected without a reason, and sends nothing', async () => {
    const ofAnother = [
      'mint',
      '--token',
      network.tokens.reissuable.id,
      '--amount',
      '5',
      '--as',
      'developer-3',
    ]
    await expect(token(ofAnother)).rejects.toThrow(network.tokens.reissuable.owner)
    const fixed = ['burn', '--token', network.tokens.fixed.id, '--amount', '5', '--as', 'token-owner']
    await expect(token(fixed)).rejects.toThrow('nobody changes')
    const mining = '--mineable --max-supply 1 --block-reward 1 --min-stake 1'.split(' ')
    await expect(token([...create, ...mining])).rejects.toMatchObject({ facts: { path: 'max supply' } })
    await expect(token([...create, '--symbol', 'no'])).rejects.toMatchObject({ facts: { path: 'symbol' } })
  })

  test('never shows a key', async () => {
    const { privateKey } = developer(2)
    expect(await token([...create, '--key-stdin'], privateKey)).not.toContain(privateKey)
    const wrong = await token([...create, '--key-stdin'], `${privateKey}00`).catch((error: Error) => error)
    expect(wrong).toMatchObject({ code: 'PRIVATE_KEY_MALFORMED' })
    expect(JSON.stringify([wrong, (wrong as Error).message])).not.toContain(privateKey)
  })

  test.each([
    [['create'], 'CONFIGURATION_INVALID'],
    [[...create, '--symbol', 'no'], 'CONFIGURATION_INVALID'],
    [[...create, '--decimals', '11'], 'CONFIGURATION_INVALID'],
    [[...create, '--fee', 'cheap'], 'CONFIGURATION_INVALID'],
    [[...create, '--fee', 'percent:101:0'], 'CONFIGURATION_INVALID'],
    [[...create, '--mineable'], 'CONFIGURATION_INVALID'],
    [[...create, '--as', 'nobody'], 'CONFIGURATION_INVALID'],
    [[...create, '--as', 'developer-1', '--key-stdin'], 'CONFIGURATION_INVALID'],
    [[...create, '--key-file', '/nowhere/at/all'], 'CONFIGURATION_INVALID'],
    [[...create, '--supply', '1.234'], 'AMOUNT_TOO_PRECISE'],
    [['mint', '--token', 'x', '--amount', '1'], 'TOKEN_ID_MALFORMED'],
    [['mint', '--token', 'ab'.repeat(32), '--amount', '1'], 'TOKEN_UNKNOWN'],
  ])('%j is refused with %s', async (args, code) => {
    await expect(token(args)).rejects.toMatchObject({ code })
  })

  test.each([
    [['craete'], 'There is no such command. Did you mean create?'],
    [[...create, 'more'], 'There is a word that belongs to no option.'],
    [[...create, '--simbol', 'NO'], 'There is no option --simbol. Did you mean --symbol?'],
    [[...create, '--key', 'ab'], 'There is no option --key. Did you mean --key-file?'],
  ])('%j is refused: %s', async (args, sentence) => {
    await expect(token(args)).rejects.toThrow(new CommandLineError(sentence))
  })

  test('another seed has other accounts, which is said before anything is sent', async () => {
    const others = runToken([...create, '--api', network.apiUrl], {
      say() {},
      stdin: (async function* () {})(),
    })
    await expect(others).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID', facts: { path: '--seed' } })
  })

  test('an answer that does not come: the transaction was named, so that it can be looked for', async () => {
    const cut = { of: 'answer', afterBytes: 0, how: 'reset' } as const
    network.faults.set({ rules: [{ on: 'api', match: { method: 'POST', path: '/tx' }, fault: { cut } }] })
    const said: string[] = []
    const where = ['--api', network.apiUrl, '--seed', SEED]
    const lost = runToken([...create, ...where], {
      say: (text) => void said.push(text),
      stdin: (async function* () {})(),
    })
    await expect(lost).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    network.faults.clear()
    expect(said.join('\n')).toMatch(/^transaction {2}[0-9a-f]{64}$/m)
  })

  test('a network that is not there', async () => {
    const nowhere = runToken([...create, '--api', 'http://127.0.0.1:1/api/v1'], {
      say() {},
      stdin: (async function* () {})(),
    })
    await expect(nowhere).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
  })
})

describe('hailstone-network openapi', () => {
  test('prints the published document, or writes it to a file', async () => {
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    await writeOpenApi([], say)
    expect(`${said[0]}\n`).toBe(publishedText())
    const file = join(folder, 'openapi.json')
    await writeOpenApi([file], say)
    expect(await readFile(file, 'utf8')).toBe(publishedText())
  })

  test('has a help of its own, and names an option that it does not have', async () => {
    const said: string[] = []
    await writeOpenApi(['--help'], (text) => void said.push(text))
    expect(said.join()).toContain('openapi [FILE]')
    await expect(writeOpenApi(['--hepl'], () => {})).rejects.toThrow('Did you mean --help?')
  })

  test.each([[['a', 'b']], [['/nowhere/at/all/openapi.json']]])('%j is refused', async (args) => {
    await expect(writeOpenApi(args, () => {})).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
  })
})

describe('hailstone-network', () => {
  const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...words], { encoding: 'utf8' })

  test('prints its version', () => {
    const { status, stdout } = run('--version')
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^hailstone-network \d+\.\d+\.\d+, node v/)])
  })

  const disks = [
    ['is read-only', 'mount -o remount,ro .', /\.hailstone: the file system is read-only \(EROFS\)/],
    ['is full', 'head -c 900000 /dev/zero > fill', /\.hailstone\/network: the disk is full \(ENOSPC\)/],
  ] as const
  const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
  test.runIf(canMount).each(disks)('ends with a sentence where the disk %s', async (_, spoil, sentence) => {
    const place = await mkdtemp(join(tmpdir(), 'hailstone-disk-'))
    const mounted = `mount -t tmpfs -o size=1m tmpfs ${place} && cd ${place} && ${spoil}`
    const script = `${mounted}; exec ${process.execPath} ${bin} --port 0 --gateway-port 0`
    const { status, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], { encoding: 'utf8' })
    await rm(place, { recursive: true })
    expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)])
    expect(stderr).toContain('--data DIR')
  })

  test('refuses a misspelt option with code 2, the nearest one, and where its help is', () => {
    const { status, stderr } = run('token', 'create', '--simbol', 'NEW')
    const sentences =
      'There is no option --simbol. Did you mean --symbol?\nhailstone-network token --help tells more.\n'
    expect([status, stderr]).toEqual([2, sentences])
  })
})
