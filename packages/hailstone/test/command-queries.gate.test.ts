import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, openFileJournal, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex, toAmount } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../mining-node/test/until.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const COIN = 10n ** 10n
const key = sha256Hex('queries of the command')
const wallet = walletFromPrivateKey(key)
const receiver = walletFromPrivateKey(sha256Hex('receiver of the queries')).address

let network: LocalNetwork
let world: CommandWorld
let paid = ''
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'queries', blockTimeMs: 300 })
  world = await createCommandWorld()
  await network.control.fund(wallet.address, 100n * COIN)
  await using client = createClient({ apiUrl: network.apiUrl })
  const { hash } = await client.sendTransaction({ wallet, to: receiver, amount: toAmount(20n * COIN) })
  await client.waitForTransaction({ hash })
  paid = hash
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await network.stop()
})

/** Runs a question twice: for people and as JSON. */
async function ask(...words: readonly string[]) {
  const [text, json] = await Promise.all([
    world.runHere([...words, '--api', network.apiUrl]),
    world.runHere([...words, '--api', network.apiUrl, '--json']),
  ])
  expect([text.code, json.code, text.err, json.err]).toEqual([0, 0, '', ''])
  const lines = json.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  return { text: text.out, lines, first: lines[0] ?? {} }
}

describe('hailstone answers a question from the shell', () => {
  it('balance: in coins for people, in units for programs; of a key file without naming the account', async () => {
    const { text, first } = await ask('balance', receiver)
    expect(text).toContain('19.9 DEV')
    expect(first).toMatchObject({ address: receiver, amount: String((199n * COIN) / 10n), isKnown: true })
    const keyFile = await world.keyFile('key', key)
    expect((await ask('balance', '--key-file', keyFile)).first).toMatchObject({ address: wallet.address })
    expect((await ask('balance', `02${'1'.repeat(64)}`)).first).toMatchObject({ isKnown: false, amount: '0' })
  })

  it('why: what decides how much an account earns, with its figures and what is not known', async () => {
    const { text, first } = await ask('why', wallet.address, '--agent', receiver)
    expect(text).toMatch(/The stake is 80 DEV, and up to 25000 DEV count: .* up to 312\.5 times/)
    expect(text).toContain(
      'not known: no miner of this account runs on this machine; accounts of a fleet are found',
    )
    expect(text).toContain('Not met by the referrer: it holds 19.9 DEV of 1000 DEV;')
    expect(text).toContain('The code can be changed at any time')
    const unmet = [
      { code: 'NAMED', side: 'miner' },
      { code: 'AGENT_STAKE', side: 'agent' },
    ]
    expect(first).toMatchObject({ address: wallet.address, unmet, seen: { status: 'unknown' } })
  })

  it('why: finds the work of an account in a fleet of this machine, and no other account there', async () => {
    const keysFile = await world.keyFile('fleet.keys', `${key}\n${sha256Hex('another key of the fleet')}\n`)
    const fleet = world.start([
      ...['fleet', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--keys-file', keysFile],
      ...['--block-time', '300ms', '--health-port', '0', '--json'],
    ])
    const ofFleet = () => fleet.lines().filter(({ address }) => address === wallet.address)
    await world.until(() => ofFleet().some(({ event }) => event === 'included'), 'its work is in a block')
    const { text } = await ask('why', wallet.address)
    expect(text).toMatch(/offered.*signed/s)
    expect(text).not.toContain('not known: no miner')
    expect((await ask('why', receiver)).text).toContain('not known: no miner of this account')
    // One that does not answer may have any account.
    fleet.process.kill('SIGSTOP')
    expect((await ask('why', receiver)).text).toContain('not known: a fleet runs here and has no health port')
    fleet.process.kill('SIGCONT')
    fleet.process.kill('SIGTERM')
    await fleet.ended
    expect((await ask('why', wallet.address)).text).toContain('not known: no miner of this account')
  })

  it.each([
    [
      'of https where nobody speaks TLS',
      'https:',
      10,
      'it does not speak TLS; without TLS its address begins',
    ],
    ['of a gateway', 'ws:', 3, 'Correct the address that --api names.'],
  ])('says what is wrong with an address %s, in words of the command', async (_, scheme, exit, said) => {
    const { code, err } = await world.runHere([
      'balance',
      receiver,
      '--api',
      network.apiUrl.replace('http:', scheme),
    ])
    expect(code).toBe(exit)
    expect(err).toContain(said)
  })

  it('says which address to mend when that of a gateway was taken for an API', async () => {
    const gateway = network.gatewayUrl.replace('ws', 'http')
    const { code, err } = await world.runHere(['balance', receiver, '--api', gateway])
    expect(code).toBe(24)
    expect(err).toMatch(/answered 426 to http:.*This is a gateway.*\n→ Check the address that --api names\./)
  })

  it('tx: where it went, what it cost, and in which block it stands', async () => {
    const { text, first } = await ask('tx', paid)
    expect(text).toMatch(/^status +confirmed$/m)
    expect(text).toMatch(/^amount +20 DEV$/m)
    expect(first).toMatchObject({ hash: paid, status: 'confirmed', grossAmount: String(20n * COIN) })
    const none = await world.runHere(['tx', 'ab'.repeat(32), '--api', network.apiUrl, '--json'])
    expect(none.code).toBe(27)
    expect(JSON.parse(none.out)).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('token and block: the native token, a height, and the same block by its hash', async () => {
    expect((await ask('token')).text).toMatch(/^symbol +DEV$/m)
    expect((await ask('token', 'DEV')).first).toMatchObject({ id: network.tokens.native.id })
    const unknown = await world.runHere(['token', 'NONE', '--api', network.apiUrl])
    expect(unknown.code).toBe(27)
    expect(unknown.err).toContain('by its id, 64 hex digits')
    const byHeight = (await ask('block', '1')).first.keyBlock as { hash: string; height: number }
    const byHash = (await ask('block', byHeight.hash)).first.keyBlock
    expect(byHash).toMatchObject({ height: 1, hash: byHeight.hash })
    expect((await world.runHere(['block', '99999999', '--api', network.apiUrl])).code).toBe(27)
    expect((await world.runHere(['block', 'tip', '--api', network.apiUrl])).code).toBe(2)
  })

  it('balance and token: a token by its symbol; of several with one symbol none is picked', async () => {
    const { mineable } = network.tokens
    await network.control.fund(receiver, 5n, mineable.id)
    const held = await ask('balance', receiver, '--token', mineable.symbol)
    expect(held.first).toMatchObject({ symbol: mineable.symbol, amount: '5' })
    const one = await network.tokens.create({ symbol: 'SAME', supply: 1_000n, decimals: 2 })
    expect((await ask('token', 'SAME')).first).toMatchObject({ id: one.id })
    const other = await network.tokens.create({ symbol: 'SAME', supply: 1_000n, decimals: 2 })
    for (const words of [
      ['token', 'SAME'],
      ['balance', wallet.address, '--token', 'SAME'],
    ]) {
      const { code, err } = await world.runHere([...words, '--api', network.apiUrl])
      expect(code).toBe(2)
      expect(err).toContain('Several tokens are called SAME: ')
      for (const { id } of [one, other]) expect(err).toContain(id)
    }
  })

  it('latest: newest transactions first, with their heights, and pool: how many wait', async () => {
    await using client = createClient({ apiUrl: network.apiUrl })
    const { lines } = await ask('latest', '--limit', '10000')
    expect(lines.map(({ hash }) => hash)).toContain(paid)
    const heights = lines.map(({ height }) => Number(height))
    expect(heights).toEqual([...heights].sort((one, other) => other - one))
    const [first] = lines
    const shown = await client.getTransaction({ hash: String(first?.hash) as never })
    expect(shown).toMatchObject({ hash: first?.hash })
    expect((await ask('latest', '--limit', '1')).lines).toHaveLength(1)
    expect((await ask('pool')).first.count).toEqual(expect.any(Number))
  })

  it('faucet: asks for test coins, and says when there are none', async () => {
    const { address } = walletFromPrivateKey(sha256Hex('a newcomer'))
    const granted = await world.runHere(['faucet', address, '--api', network.apiUrl])
    expect(granted.code).toBe(0)
    await until(() => network.balance(address) > 0n, 'the coins arrive')
    expect((await world.runHere(['faucet', '--api', network.apiUrl])).code).toBe(2)
    const { id, mining } = network.tokens.mineable
    const agent = walletFromPrivateKey(sha256Hex('a new agent')).address
    const forAgent = ['faucet', agent, '--token', 'HAIL', '--as', 'agent', '--api', network.apiUrl]
    expect((await world.runHere(forAgent)).code).toBe(0)
    await until(() => network.balance(agent, id) === mining?.referrerStake, 'the stake of an agent arrives')
    const { code, err } = await world.runHere(['faucet', agent, '--token', 'FROST', '--api', network.apiUrl])
    expect([code, err]).toStrictEqual([expect.any(Number), expect.stringContaining('cannot be mined')])
    expect(code).not.toBe(0)
    const { out } = await world.runHere(['token', 'HAIL', '--api', network.apiUrl])
    expect(out).toMatch(/^of an agent +1000 HAIL$/m)
  })
})

describe('hailstone reads its command line', () => {
  it('names its version and Node, and lists the options of each command', async () => {
    const [version, help, mine, nothing] = await Promise.all([
      world.run(['--version']),
      world.runHere(['--help']),
      world.runHere(['mine', '--help']),
      world.runHere([]),
    ])
    expect(version.out).toMatch(/^hailstone \d+\.\d+\.\d+, node v\d+/)
    expect(nothing.out).toBe(help.out)
    for (const words of [['help'], ['help', 'help'], ['help', '--help']])
      expect((await world.runHere(words)).out).toContain('Mines, pays and answers questions')
    expect((await world.runHere(['help', 'mine'])).out).toBe(mine.out)
    for (const command of ['mine', 'balance', 'latest', 'faucet', 'completion'])
      expect(help.out).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
    expect(mine.out).toContain('--health-port')
    expect(mine.out).not.toContain('--idempotency-key')
  })

  it.each([
    [['walet', 'new'], 'Did you mean wallet?'],
    [['help', 'blance'], 'There is no such command. Did you mean balance?'],
    [['block', 'x', '--api', 'http://127.0.0.1:9/api/v1'], 'or by the 64 hex digits of its hash'],
    [['mine', '--gatway', 'ws://127.0.0.1:1'], 'Did you mean --gateway?'],
    [['mine', '--network', 'pulze'], 'pulse, bit, local'],
    [['mine', '--api'], '--api needs a value'],
    [['send', '--to', '--amount', '3'], '--to needs a value; the next word is the option --amount'],
    [['tx'], 'HASH is missing'],
    [['pool', 'a-secret-word'], 'a word that belongs to no option'],
  ])('%j: says what is wrong and what is meant, and repeats no value', async (words, said) => {
    const { code, err } = await world.runHere(words)
    expect(code).toBe(2)
    expect(err).toContain(said)
    expect(err).not.toContain('a-secret-word')
  })

  it('completes commands and options in a real bash', async () => {
    const { out: script } = await world.runHere(['completion', 'bash'])
    const complete = (...words: readonly string[]): string =>
      spawnSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=(hailstone ${words.map((word) => `'${word}'`).join(' ')})
        COMP_CWORD=${words.length}; _hailstone; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim()
    expect(complete('mi')).toBe('mine')
    expect(complete('wallet', 'ne')).toBe('new')
    expect(complete('wallet', 'new', '--pl')).toBe('--plain')
    expect(complete('send', '--idem')).toBe('--idempotency-key')
    expect(complete('completion', 'f')).toBe('fish')
    expect((await world.runHere(['completion', 'tcsh'])).code).toBe(2)
  })
})

const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0
const named = (name: string, shell: string): string =>
  hasShell(shell) ? name : `${name} (left out: there is no ${shell})`

describe('completion in other shells', () => {
  it.runIf(hasShell('fish'))(
    named('completes commands, words and options in a real fish', 'fish'),
    async () => {
      const { out: script } = await world.runHere(['completion', 'fish'])
      const complete = (line: string): readonly string[] => {
        const { stdout, stderr } = spawnSync(
          'fish',
          ['--no-config', '-c', `${script}\ncomplete -C '${line}'`],
          {
            encoding: 'utf8',
            env: { ...process.env, HOME: world.folder },
          },
        )
        expect(stderr).toBe('')
        return stdout.split('\n').flatMap((found) => found.split('\t')[0] || [])
      }
      expect(complete('hailstone mi')).toEqual(['mine'])
      expect(complete('hailstone wallet ne')).toEqual(['new'])
      expect(complete('hailstone send --idem')).toEqual(['--idempotency-key'])
      expect(complete('hailstone completion ')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']))
    },
  )

  it.runIf(hasShell('zsh'))(named('completes commands and options in a real zsh', 'zsh'), async () => {
    const { out: script } = await world.runHere(['completion', 'zsh'])
    // With the options under which bashcompinit calls it; zsh itself keeps what begins with the typed word.
    const complete = (...words: readonly string[]): readonly string[] => {
      const command = `autoload -Uz compinit; compinit -u -D
        ${script}
        offer() {
          emulate -L sh; setopt kshglob noshglob braceexpand
          COMP_WORDS=(hailstone ${words.join(' ')}); COMP_CWORD=${words.length}
          _hailstone; print -r -- "\${COMPREPLY[@]}"
        }
        offer`
      const { stdout } = spawnSync('zsh', ['-f', '-c', command], {
        encoding: 'utf8',
        env: { ...process.env, HOME: world.folder },
      })
      return stdout.trim().split(' ')
    }
    expect(complete('mi')).toContain('mine')
    expect(complete('wallet', 'ne')).toEqual(['new', 'import', 'show', 'export'])
    expect(complete('send', '--idem')).toContain('--idempotency-key')
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })
})

describe('hailstone where nothing can be written', () => {
  it('mine and send name the folder, the cause and --data, and end with 23', async () => {
    // A file in the place of a folder stops root, too, which a mode does not.
    const blocked = await world.keyFile('not-a-folder', 'x')
    const keyFile = await world.keyFile('miner.key', key)
    const mine = ['mine', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--key-file', keyFile]
    for (const words of [
      mine,
      ['send', '--api', network.apiUrl, '--key-file', keyFile, '--to', receiver, '--amount', '1'],
    ]) {
      const { code, out } = await world.run([...words, '--json', '--data', blocked])
      expect(code).toBe(23)
      const { message, nextStep } = JSON.parse(out)
      expect(message).toContain(blocked)
      expect(message).toContain('a part of the path is a file')
      expect(nextStep).toContain('--data')
    }
  })

  it('send says who has the journal of payments, and that one key of idempotency pays once', async () => {
    const data = join(world.folder, 'locked')
    await mkdir(join(data, 'payments'), { recursive: true })
    const journal = await openFileJournal({ path: join(data, 'payments', `${wallet.address}.journal`) })
    try {
      const keyFile = await world.keyFile('locked.key', key)
      const order = ['--key-file', keyFile, '--to', receiver, '--amount', '1', '--yes', '--data', data]
      const { code, err } = await world.run(['send', '--api', network.apiUrl, ...order])
      expect([code, err]).toEqual([23, expect.stringContaining(`is in use by process ${process.pid}`)])
      expect(err).toContain('→ Try again when that process has ended.')
    } finally {
      await journal.close()
    }
  })

  it('status does not say that nobody mines where it cannot look', async () => {
    const blocked = await world.keyFile('no-folder-either', 'x')
    const { code, err } = await world.run(['status', '--data', blocked])
    expect([code, err]).toEqual([
      23,
      expect.stringContaining(`${blocked}/running: a part of the path is a file`),
    ])
    const network = ['--api', 'http://127.0.0.1:9/api/v1', '--gateway', 'ws://127.0.0.1:9']
    const doctor = await world.run(['doctor', ...network, '--address', wallet.address, '--data', blocked])
    expect(doctor.out).toContain(`Unknown: ${blocked}/running cannot be read.`)
  })

  it('status and doctor need no folder and make none', async () => {
    const home = join(world.folder, 'empty-home')
    await mkdir(home)
    await chmod(home, 0o500)
    const environment = { HOME: home, HAILSTONE_DATA: join(home, 'data') }
    expect((await world.run(['status'], { environment })).code).toBe(8)
    const doctor = await world.run(
      ['doctor', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--address', wallet.address],
      { environment },
    )
    expect(doctor.err).toBe('')
    expect(doctor.out).toContain('stake')
    expect(await readdir(home)).toEqual([])
  })
})
