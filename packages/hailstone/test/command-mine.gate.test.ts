import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode } from '@hailstone/mining-node'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { nativeToken } from '../../local-network/test/native-token.ts'
import { startScriptedGateway } from '../../mining-node/test/scripted-gateway.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

/** Known to nobody but these tests; must never be seen anywhere. */
const canary = sha256Hex('canary of the commands')
const password = 'canary password of the commands'

let network: LocalNetwork
let world: CommandWorld
let keyFile = ''
let where: readonly string[] = []
const { address } = walletFromPrivateKey(canary)

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'command', blockTimeMs: 600, bootNode: {} })
  await network.control.fund(address, 1_000n * 10n ** 10n)
  world = await createCommandWorld()
  keyFile = await world.keyFile('canary.key', canary)
  where = ['--api', network.apiUrl, '--gateway', network.gatewayUrl]
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await network.stop()
})

const get = async (port: unknown, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

/** Without an API somebody has to say which token is mined. */
const alone = (gatewayUrl: string) => ['--gateway', gatewayUrl, '--token', nativeToken()]

describe('hailstone mine', () => {
  it('G-19, P4: mines to a reward, shows its health, keeps its key to itself, and ends with 0', async () => {
    const mine = ['mine', ...where, '--key-file', keyFile, '--block-time', '600ms', '--json']
    const miner = world.start([...mine, '--health-port', '0'])
    const { port } = await miner.event('healthServed')
    const reward = await miner.event('rewarded')
    expect(reward).toMatchObject({ role: 'miner', status: 'mining' })
    // Units are texts, so that no reader rounds them.
    expect(reward.amount).toMatch(/^[1-9]\d+$/)

    const health = await get(port, '/readyz')
    expect(health.status).toBe(200)
    expect(await get(port, '/livez')).toMatchObject({ status: 200, text: '{"isLive":true}\n' })
    expect(JSON.parse(health.text)).toMatchObject({ isReady: true, code: 'READY', nextStep: '' })
    const metrics = await get(port, '/metrics')
    expect(metrics.type).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(metrics.text).toMatch(/^hailstone_ready 1$/m)
    expect(metrics.text).toMatch(/^hailstone_session_status\{status="mining"\} 1$/m)
    expect(metrics.text).toMatch(/^hailstone_published_total [1-9]/m)
    const earned = new RegExp(
      `^hailstone_rewards_units_total\\{token="${nativeToken()}",kind="own"\\} [1-9]\\d+$`,
      'm',
    )
    expect(metrics.text).toMatch(earned)
    // A page of another name, led here by its DNS server, reads nothing.
    expect((await get(port, '/nowhere')).status).toBe(404)
    const posted = await fetch(`http://127.0.0.1:${port}/health`, { method: 'POST' })
    expect(posted.status).toBe(405)

    const [status, plain, second, healthy] = await Promise.all([
      world.run(['status', '--json']),
      world.run(['status']),
      world.run(mine),
      world.run(['doctor', ...where, '--address', address, '--json']),
    ])
    expect(status.code).toBe(0)
    expect(JSON.parse(status.out)).toMatchObject({
      ...{ event: 'process', program: 'miner', processId: miner.process.pid, name: address, state: 'ready' },
      status: { address, health: { isReady: true } },
    })
    expect(plain.out).toMatch(/: ready\n.*mining/s)
    // T6: a second process on the same key refuses, and names the first.
    expect(second.code).toBe(5)
    expect(JSON.parse(second.out)).toMatchObject({ event: 'error', code: 'KEY_IN_USE', exitCode: 5 })
    expect(second.out).toContain(String(miner.process.pid))
    expect(healthy.code).toBe(0)
    const { findings } = JSON.parse(healthy.out) as { findings: { check: string; verdict: string }[] }
    expect(findings.filter(({ verdict }) => verdict === 'ok').map(({ check }) => check)).toEqual(
      expect.arrayContaining(['api', 'clock', 'gateway', 'token', 'stake', 'inclusion', 'miner']),
    )

    const asked = performance.now()
    miner.process.kill('SIGTERM')
    expect((await miner.ended).code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(withinMs(2_500))
    // A reward that was being read may still follow it.
    const stopped = miner.lines().findLast(({ event }) => event === 'stopped')
    expect(stopped).toMatchObject({ reason: 'requested' })
    expect(await readdir(join(world.folder, 'data', 'running'))).toEqual([])
    expect((await world.run(['status'])).code).toBe(8)
  })

  it.each([
    [
      'the first of two gateways is dead',
      () => ['--gateway', 'ws://127.0.0.1:9', '--gateway', network.gatewayUrl],
    ],
    ['it knows a boot node alone', () => ['--boot-node', String(network.bootNodeUrl)]],
    [
      'its gateway is dead and a boot node knows another',
      () => ['--gateway', 'ws://127.0.0.1:9', '--boot-node', String(network.bootNodeUrl)],
    ],
  ])('mines to a reward when %s', async (_, gateways) => {
    const mine = ['mine', '--api', network.apiUrl, ...gateways(), '--key-file', keyFile, '--json']
    const miner = world.start([...mine, '--block-time', '600ms'])
    await miner.event('rewarded')
    // The dead one was tried once, if at all.
    const isLost = ({ reason }: { reason?: unknown }) =>
      JSON.stringify(reason)?.includes('gatewayUnreachable')
    const lost = miner.lines().filter(isLost)
    expect(lost.length).toBeLessThanOrEqual(1)
    miner.process.kill('SIGINT')
    expect((await miner.ended).code).toBe(0)
  })

  it('ends in order when the reader of its output goes away, as `head` does', async () => {
    const mine = world.start(['mine', ...where, '--key-file', keyFile, '--json'])
    await mine.event('hailed')
    mine.process.stdout?.destroy()
    expect((await mine.ended).code).toBe(0)
  })

  it('takes the key from standard input, and the lock of a process that was killed', async () => {
    const mine = ['mine', ...where, '--key-stdin', '--json']
    const killed = world.start(mine, { input: `${canary}\n` })
    await killed.event('hailed')
    killed.process.kill('SIGKILL')
    await killed.ended
    expect(await readdir(join(world.folder, 'data', 'running'))).toHaveLength(2)
    const next = world.start(mine, { input: canary })
    await next.event('hailed')
    next.process.kill('SIGINT')
    expect((await next.ended).code).toBe(0)
  })

  it('opens a keystore with a password from a file, and says in plain lines what happens', async () => {
    const passwordFile = await world.keyFile('password', password)
    const keystore = join(world.folder, 'canary.keystore')
    const imported = await world.run(
      ['wallet', 'import', '--out', keystore, '--password-file', passwordFile],
      {
        input: canary,
      },
    )
    expect(imported.code).toBe(0)
    const miner = world.start(['mine', ...where, '--key-file', keystore, '--password-file', passwordFile])
    await world.until(() => /signed [0-9a-f]{64}/.test(miner.out()), 'it signed')
    miner.process.kill('SIGINT')
    const { code, out } = await miner.ended
    expect(code).toBe(0)
    expect(out).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d {2}mining with 0[23][0-9a-f]{64} at ws:/m,
    )
    expect(out).toMatch(/ stopped$/m)
  })

  it('waits when another device takes the key over, and when the gateway speaks another version', async () => {
    const wallet = walletFromPrivateKey(sha256Hex('other canary'))
    // Without a stake, both devices would be cut off at each publication and never meet.
    await network.control.fund(wallet.address, 1_000n * 10n ** 10n)
    const other = await world.keyFile('other.key', sha256Hex('other canary'))
    const taken = world.start([
      ...['mine', ...where, '--key-file', other, '--json'],
      ...['--on-duplicate-key', 'stop'],
    ])
    await using gateway = await startScriptedGateway()
    const third = await world.keyFile('third.key', sha256Hex('third canary'))
    const outdated = world.start(['mine', ...alone(gateway.url), '--key-file', third, '--json'])
    // Sent is not yet heard: whoever is heard last has the key.
    const online = () => network.gateway.minersOnline().some((miner) => miner.address === wallet.address)
    await world.until(online, 'the gateway knows the first device')
    await using device = createMiningNode({ wallet, gatewayUrl: network.gatewayUrl })
    await device.start()
    const socket = await gateway.hailed()
    socket.send('{"ver":4,"err":"ERR_WRONG_PROTOCOL_VERSION"}')
    const whyOf = async (miner: typeof taken): Promise<unknown> => (await miner.event('disconnected')).why
    expect(await whyOf(taken)).toMatch(/^duplicate key: another device mines with this key at 127.0.0.1; /)
    expect(await whyOf(outdated)).toBe('the gateway 127.0.0.1 speaks another version of the protocol')
    for (const miner of [taken, outdated]) {
      miner.process.kill('SIGINT')
      expect((await miner.ended).code).toBe(0)
    }
  })

  it('mines nothing where nobody can say in which token', async () => {
    const { code, err } = await world.run(['mine', '--gateway', 'ws://127.0.0.1:9', '--key-file', keyFile])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--token') })
  })

  it('G-19, P4: is not ready without beacons, and ends in time at a gateway that never says goodbye', async () => {
    await using gateway = await startScriptedGateway()
    const miner = world.start([
      ...['mine', ...alone(gateway.url), '--key-file', keyFile],
      ...['--health-port', '0', '--json'],
    ])
    const { port } = await miner.event('healthServed')
    const socket = await gateway.hailed()
    await miner.event('hailed')
    const { status, text } = await get(port, '/readyz')
    expect(status).toBe(503)
    // A probe that restarts miners finds nothing to restart.
    expect([(await get(port, '/livez')).status, (await get(port, '/health')).status]).toEqual([200, 200])
    expect(JSON.parse(text)).toMatchObject({ isReady: false, code: 'NO_BEACON_YET', tipAgeMs: 'unused' })
    expect((JSON.parse(text) as { nextStep: string }).nextStep).toContain('doctor')
    expect((await world.run(['status', '--health-port', String(port)])).code).toBe(9)
    socket.pause()
    const asked = performance.now()
    miner.process.kill('SIGTERM')
    expect((await miner.ended).code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(withinMs(2_500))
  })
})

describe('secrets', () => {
  it.each([
    ['as an option', ['mine', '--key', canary]],
    ['joined to an option', ['mine', `--private-key=${canary}`]],
    ['as a word', ['wallet', 'import', canary]],
    ['in place of a file', ['mine', '--key-file', canary]],
    ['in place of an address', ['doctor', '--address', `00${canary}`]],
    ['as words', ['wallet', 'import', '--mnemonic', 'abandon abandon']],
    ['as a password', ['mine', '--password', password]],
  ])('are refused on the command line %s, and not repeated', async (_name, args) => {
    const { code, out, err } = await world.run(args)
    expect(code).toBe(2)
    expect(out + err).toContain('never given on the command line')
  })

  it('are read from the environment with a warning, and from no file that others may read', async () => {
    const open = await world.keyFile('open.key', canary, 0o644)
    const [fromEnvironment, fromOpenFile, fromNowhere, broken] = await Promise.all([
      world.run(['doctor', ...where, '--json'], { environment: { HAILSTONE_PRIVATE_KEY: canary } }),
      world.run(['mine', ...where, '--key-file', open]),
      world.run(['mine', ...where]),
      world.run(['mine', ...where, '--key-stdin'], { input: `${canary}${canary}` }),
    ])
    expect(fromEnvironment.code).toBe(0)
    expect(fromEnvironment.err).toContain('HAILSTONE_PRIVATE_KEY')
    expect(fromOpenFile.code).toBe(4)
    expect(fromOpenFile.err).toContain('chmod 600')
    expect(fromNowhere.code).toBe(2)
    expect(broken.code).toBe(4)
  })

  it.skipIf(process.platform === 'win32')(
    'S-4: are in no report that Node writes about the process',
    async () => {
      const reports = await mkdtemp(join(tmpdir(), 'hailstone-report-'))
      const miner = world.start(['mine', ...where, '--json'], {
        environment: {
          HAILSTONE_PRIVATE_KEY: canary,
          NODE_OPTIONS: `--report-on-signal --report-signal=SIGUSR2 --report-directory=${reports}`,
        },
      })
      await miner.event('started')
      miner.process.kill('SIGUSR2')
      const written = async (): Promise<readonly string[]> =>
        (await readdir(reports)).filter((name) => name.endsWith('.json'))
      await expect.poll(written).toHaveLength(1)
      const [name = ''] = await written()
      await expect
        .poll(() => readFile(join(reports, name), 'utf8'))
        .toMatch(/"sharedObjects"[\s\S]*]\s*}\s*$/)
      const report = await readFile(join(reports, name), 'utf8')
      expect(report).toContain('"environmentVariables"')
      expect(report.toLowerCase()).not.toContain(canary)
      miner.process.kill('SIGTERM')
      await miner.ended
      await rm(reports, { recursive: true })
    },
  )

  it('were seen nowhere: no output, lock or journal of any command holds one', async () => {
    const everything = await world.everything()
    expect(everything).toContain(address)
    const bytes = Buffer.from(canary, 'hex')
    for (const form of [
      canary,
      canary.toUpperCase(),
      [...canary].reverse().join(''),
      bytes.toString('base64').replace(/=+$/, ''),
      BigInt(`0x${canary}`).toString(),
      password,
    ]) {
      expect(everything.includes(form)).toBe(false)
    }
  })
})
