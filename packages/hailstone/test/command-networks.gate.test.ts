import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { parsePrivateKey, parseTokenId, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startScriptedGateway } from '../../mining-node/test/scripted-gateway.ts'
import { until } from '../../mining-node/test/until.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const ONE_TOKEN_ID = parseTokenId('1'.padStart(64, '0'))
const HALF_A_STAKE = 125_000_000_000n

const startNetwork = (options: LocalNetworkOptions = {}) =>
  startLocalNetwork({
    seed: 'strange networks',
    blockTimeMs: 600,
    fallbackMiner: false,
    nativeTokenId: ONE_TOKEN_ID,
    ...options,
  })

let network: LocalNetwork
let world: CommandWorld
beforeAll(async () => {
  network = await startNetwork()
  world = await createCommandWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await network.stop()
})

const where = () => ['--api', network.apiUrl, '--gateway', network.gatewayUrl]

/** A file with keys of the network's developers, from one place to another. */
const keysFile = (name: string, from = 0, to = from + 1) => {
  const keys = network.accounts.developers.slice(from, to).map(({ privateKey }) => privateKey)
  return world.keyFile(name, `${keys.join('\n')}\n`)
}

const mineWith = async (file: string, ...more: readonly string[]) =>
  world.start(['mine', ...more, '--key-file', file, '--block-time', '600ms', '--json'])

const fleetWith = async (file: string, ...more: readonly string[]) =>
  world.start(['fleet', ...more, '--keys-file', file, '--block-time', '600ms', '--threads', '0', '--json'])

const healthAt = async (port: unknown) => (await fetch(`http://127.0.0.1:${port}/health`)).json()

describe('a network whose native token is not 64 zeros, named by its addresses alone', () => {
  it('G-23: is mined by one key to a reward', async () => {
    const miner = await mineWith(await keysFile('one'), ...where())
    expect(await miner.event('rewarded')).toMatchObject({ tokenId: ONE_TOKEN_ID, role: 'miner' })
    miner.process.kill('SIGINT')
    expect((await miner.ended).code).toBe(0)
  })

  it('G-23: is mined by a fleet to a reward', async () => {
    const fleet = await fleetWith(await keysFile('two', 1, 3), ...where())
    expect(await fleet.event('rewarded')).toMatchObject({ tokenId: ONE_TOKEN_ID, role: 'miner' })
    fleet.process.kill('SIGINT')
    expect((await fleet.ended).code).toBe(0)
  })

  it('nothing is hailed there in 64 zeros: mine, fleet and doctor name the token', async () => {
    await using gateway = await startScriptedGateway()
    const strange = ['--api', network.apiUrl, '--gateway', gateway.url, '--token', ZERO_TOKEN_ID]
    const file = await keysFile('zeros')
    const [miner, fleet, doctor] = await Promise.all([
      mineWith(file, ...strange),
      fleetWith(file, ...strange),
      world.run(['doctor', ...strange]),
    ])
    const { host } = new URL(network.apiUrl)
    for (const command of [miner, fleet]) {
      const { why } = await command.event('disconnected')
      expect(why).toBe(`holding back: the network knows no token ${ZERO_TOKEN_ID}, says ${host}`)
      command.process.kill('SIGINT')
      expect((await command.ended).code).toBe(0)
    }
    expect(doctor.code).toBe(13)
    expect(doctor.out).toMatch(/^FAIL {2}token /m)
    expect(gateway.heard).toEqual([])
  })

  it('is waited for when the API is away at first, and the cause is named', async () => {
    const gone = await startNetwork({ seed: 'away at first' })
    const { apiUrl, gatewayUrl } = gone
    const [apiPort, gatewayPort] = [apiUrl, gatewayUrl].map((url) => Number(new URL(url).port))
    const file = await world.keyFile('away', gone.accounts.developers[0]?.privateKey ?? '')
    await gone.stop()
    const miner = await mineWith(file, '--api', apiUrl, '--gateway', gatewayUrl, '--health-port', '0')
    const { why } = await miner.event('disconnected')
    expect(why).toMatch(/^waiting for the API to say which token is native: /)
    const { port } = await miner.event('healthServed')
    expect(await healthAt(port)).toMatchObject({ code: 'NATIVE_TOKEN_UNKNOWN', isReady: false })
    const fleet = world.start(['fleet', '--api', apiUrl, '--gateway', gatewayUrl, '--keys-file', file])
    await until(
      () => / Waiting for the API to say which token is native: /.test(fleet.out()),
      'the fleet says so',
    )
    fleet.process.kill('SIGINT')
    expect((await fleet.ended).code).toBe(0)
    await using _back = await startNetwork({ seed: 'away at first', apiPort, gatewayPort })
    await miner.event('rewarded')
    miner.process.kill('SIGINT')
    expect((await miner.ended).code).toBe(0)
  })
})

it('a fleet says to people which of its miners hold back, and that the token is unknown', async () => {
  const [rich] = network.accounts.developers
  const file = await world.keyFile('mixed', `${rich?.privateKey}\n${sha256Hex('holds nothing')}\n`)
  const args = ['fleet', ...where(), '--keys-file', file, '--threads', '0']
  const fleet = world.start(args)
  await until(
    () => / 1 × holding back: the stake is below the minimum of 25 DEV$/m.test(fleet.out()),
    'it says so',
  )
  fleet.process.kill('SIGINT')
  expect((await fleet.ended).code).toBe(0)
  const strange = world.start([...args, '--token', ZERO_TOKEN_ID])
  await until(
    () => / 2 × holding back: the network knows no token 0{64}, says /.test(strange.out()),
    'it says so',
  )
  strange.process.kill('SIGINT')
  expect((await strange.ended).code).toBe(0)
})

describe('half the minimum stake', () => {
  const poor = parsePrivateKey(sha256Hex('half the stake of a command'))
  const { address } = walletFromPrivateKey(poor)
  const why = /^holding back: (?:your|the) stake .*is below the minimum of 25 DEV$/

  it.each([
    ['mine', mineWith, poor],
    ['fleet', fleetWith, poor],
  ] as const)(
    'G-24: %s publishes nothing, names the cause, and mines within two blocks after a top-up',
    async (_, start, key) => {
      await using own = await startNetwork({ seed: 'half' })
      const at = ['--api', own.apiUrl, '--gateway', own.gatewayUrl]
      await own.control.fund(address, HALF_A_STAKE)
      const miner = await start(await world.keyFile('poor', key), ...at, '--health-port', '0')
      expect((await miner.event('disconnected')).why).toMatch(why)
      const { port } = await miner.event('healthServed')
      expect(await healthAt(port)).toMatchObject({ code: 'STAKE_TOO_LOW', isReady: false })
      const doctor = await world.run(['doctor', ...at, '--address', address])
      expect(doctor.code).toBe(15)
      expect(doctor.out).toMatch(/^FAIL {2}stake .* 12\.5 DEV is below the least stake of 25 DEV/m)

      await own.control.pause()
      await own.control.mine(3)
      const isOnline = () => own.gateway.minersOnline().length > 0
      expect(isOnline()).toBe(false)
      await own.control.fund(address, HALF_A_STAKE)
      const toppedUpAt = own.height()
      await own.control.mine()
      // Bounded for hangs only: what counts are the blocks.
      await until(isOnline, 'it came', 60_000)
      expect(own.height() - toppedUpAt).toBeLessThanOrEqual(2)
      expect(miner.lines().filter(({ event }) => event === 'published')).toEqual([])
      own.control.resume()
      await miner.event('rewarded')
      miner.process.kill('SIGINT')
      expect((await miner.ended).code).toBe(0)
    },
  )
})
