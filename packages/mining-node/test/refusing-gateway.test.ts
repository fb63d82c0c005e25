import { walletFromPrivateKey } from '@hailstone/client'
import {
  type Address,
  DUPLICATE_KEY,
  formatRefusal,
  LOW_STAKE,
  sha256Hex,
  WRONG_VERSION,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createBeaconReader } from '../src/fleet/beacon-reader.ts'
import { assembleFleet } from '../src/fleet/create-fleet.ts'
import { createFleetPool } from '../src/fleet/fleet-pool.ts'
import { createGatewayChoice } from '../src/fleet/gateway-choice.ts'
import type { OpenChannel } from '../src/session/channel.ts'
import { describeSession } from '../src/session/describe-session.ts'
import { runSession } from '../src/session/run-session.ts'
import { idleSession } from '../src/session/state.ts'
import {
  doorTo,
  numberedSigner,
  pass,
  passUntil,
  seeded,
  type VirtualClock,
  virtualClock,
  virtualGateway,
} from './fleet-virtual-world.ts'
import { hailed, hashOf, message, mined, run, settings } from './session-samples.ts'

const [FIRST, SECOND] = ['ws://203.0.113.1:3000/', 'ws://203.0.113.2:3000/']
const wallet = walletFromPrivateKey(sha256Hex('refused'))

/** Two gateways, of which the first answers each hail with a refusal while it is told to. */
function worldOf(clock: VirtualClock, code: string) {
  const gateways = [virtualGateway(clock, FIRST), virtualGateway(clock, SECOND)] as const
  const refusing = { isOn: true, times: [] as number[] }
  const door = doorTo(gateways)
  const openChannel: OpenChannel = (given) => {
    const channel = door(given)
    if (given.url !== FIRST) return channel
    const send = (text: string): void => {
      channel.send(text)
      if (!refusing.isOn) return
      refusing.times.push(clock.now())
      clock.after(1, () => {
        given.handlers.received(formatRefusal(code))
        channel.terminate()
      })
    }
    return { ...channel, send }
  }
  return { gateways, refusing, openChannel }
}

describe.each([
  [WRONG_VERSION, 'wrongProtocolVersion', 'the gateway 203.0.113.1 speaks another version of the protocol'],
  [DUPLICATE_KEY, 'duplicateKey', 'duplicate key: another device mines with this key at 203.0.113.1; '],
] as const)('a gateway that answers %s', (code, kind, why) => {
  it('of two is left for the other one by all miners, whatever the owner wants of duplicates', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const clock = virtualClock()
      const { gateways, openChannel } = worldOf(clock, code)
      const onDuplicateKey = seed % 2 === 0 ? 'stop' : 'wait'
      const whys: string[] = []
      const session = runSession({
        settings: { gatewayUrl: FIRST, otherGatewayUrls: [SECOND], onDuplicateKey },
        signer: wallet,
        tokenId: ZERO_TOKEN_ID,
        openChannel,
        clock,
        random: seeded(seed),
        onState: (state) => state.status === 'waiting' && whys.push(describeSession(state).why),
      })
      clock.advance(120_000)
      expect(session.state().status).toBe('waitingForBeacon')
      expect(gateways[1].connections()).toBe(1)
      for (const one of whys) expect(one.startsWith(why)).toBe(true)
      clock.advance(3_600_000)
      expect(session.state().status).toBe('waitingForBeacon')
    }
  })

  it('alone is asked again and again, each time later, and mined at when it says so no more', () => {
    const clock = virtualClock()
    const { refusing, openChannel } = worldOf(clock, code)
    const session = runSession({
      settings: { gatewayUrl: FIRST, onDuplicateKey: 'wait' },
      signer: wallet,
      tokenId: ZERO_TOKEN_ID,
      openChannel,
      clock,
      random: seeded(1),
    })
    clock.advance(3_600_000)
    expect(session.state()).toMatchObject({ status: 'waiting', reason: { kind, host: '203.0.113.1' } })
    const gaps = refusing.times.slice(1).map((at, index) => at - (refusing.times[index] ?? 0))
    expect(gaps.length).toBeGreaterThan(4)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
    expect(gaps.at(-1)).toBeGreaterThan(900_000)
    refusing.isOn = false
    clock.advance(1_000_000)
    expect(session.state().status).toBe('waitingForBeacon')
  })

  it('of two is left by the nodes of a fleet, which are not sent back there', async () => {
    const clock = virtualClock()
    const { gateways, refusing, openChannel } = worldOf(clock, code)
    const fleet = assembleFleet(
      {
        wallets: Array.from({ length: 40 }, (_, number) => numberedSigner(number)),
        gatewayUrl: [FIRST, SECOND],
        openChannel,
        randomness: seeded(1),
      },
      clock,
    )
    await passUntil(clock, fleet.start())
    await pass(clock, 180_000, 500)
    // One node at a time finds out whether it is back.
    expect(fleet.health().nodes.waitingForBeacon).toBeGreaterThanOrEqual(39)
    expect(gateways[1].connections()).toBeGreaterThanOrEqual(39)
    const before = refusing.times.length
    await pass(clock, 600_000, 500)
    expect(refusing.times.length - before).toBeLessThan(10)
    expect(gateways[1].connections()).toBeGreaterThanOrEqual(39)
    refusing.isOn = false
    await pass(clock, 1_200_000, 500)
    expect(gateways[0].connections()).toBeGreaterThan(0)
    await passUntil(clock, fleet.stop())
  })
})

it.each([LOW_STAKE, 'ERR_OF_NEXT_YEAR'])(
  'a gateway of two that answers each hail with %s is left by the nodes of a fleet',
  async (word) => {
    const clock = virtualClock()
    const { gateways, refusing, openChannel } = worldOf(clock, word)
    const wallets = Array.from({ length: 8 }, (_, number) => numberedSigner(number))
    const randomness = seeded(1)
    const fleet = assembleFleet({ wallets, gatewayUrl: [FIRST, SECOND], openChannel, randomness }, clock)
    await passUntil(clock, fleet.start())
    await pass(clock, 180_000, 500)
    // One node at a time finds out whether it is back.
    expect(gateways[1].connections()).toBeGreaterThanOrEqual(7)
    const before = refusing.times.length
    await pass(clock, 300_000, 500)
    expect(refusing.times.length - before).toBeLessThan(10)
    await passUntil(clock, fleet.stop())
  },
)

/** Four nodes that are connected. */
function poolAt(
  urls: readonly string[],
  { clock, openChannel }: { clock: VirtualClock; openChannel: OpenChannel },
) {
  const choice = createGatewayChoice({ urls, bootNodeUrls: [], now: clock.now })
  const nothing = () => undefined
  const pool = createFleetPool({
    ...{ openChannel, clock, random: seeded(1), gateways: choice, reader: createBeaconReader() },
    settings: { bootNodeUrls: [], onDuplicateKey: 'wait', requireEncryption: false },
    signing: { sign: (_key, _task, onSigned) => onSigned({ text: '' }) },
    beacons: { offer: nothing },
    ...{ emit: nothing, onPublished: nothing, onOffered: nothing, onRefused: nothing, onSuspected: nothing },
  })
  const addresses = [0, 1, 2, 3].map((number) => numberedSigner(number).address)
  for (const [index, address] of addresses.entries()) if (pool.add(index, address)) pool.begin(index)
  clock.advance(5_000)
  const hold = (address: Address) => pool.hold(address, { kind: 'stakeTooLow', detail: 'says the API' })
  return { pool, choice, addresses, hold }
}

it('a gateway is not said to refuse the nodes that the API holds back', () => {
  const clock = virtualClock()
  const { gateways, openChannel } = worldOf(clock, LOW_STAKE)
  const { choice, addresses, hold } = poolAt([SECOND], { clock, openChannel })
  expect(gateways[1].connections()).toBe(4)
  for (const address of addresses) hold(address)
  clock.advance(5_000)
  expect([gateways[1].connections(), choice.view()]).toMatchObject([0, [{ isDown: false }]])
})

it('a gateway that was away is found again, though a node that is held back belongs to it', () => {
  const clock = virtualClock()
  const { gateways, refusing, openChannel } = worldOf(clock, LOW_STAKE)
  refusing.isOn = false
  const { pool, choice, addresses, hold } = poolAt([FIRST, SECOND], { clock, openChannel })
  const [held] = addresses.filter((address) => pool.view(address)?.gatewayUrl === FIRST)
  if (held !== undefined) hold(held)
  for (let failure = 0; failure < 3; failure++) choice.failed(FIRST)
  gateways[0].crash()
  clock.advance(30_000)
  expect(gateways.map((one) => one.connections())).toEqual([0, 3])
  gateways[0].isUp = true
  for (let seconds = 0; seconds < 60; seconds += 5) {
    clock.advance(5_000)
    pool.rebalance()
  }
  expect(gateways[0].connections()).toBeGreaterThan(0)
})

it('only a gateway that goes on to refuse is counted: a good beacon ends it', () => {
  const refused = message({ kind: 'error', code: WRONG_VERSION })
  const { session } = run([...hailed, ...mined('a', 1), refused], idleSession(settings))
  expect(session.memory).toMatchObject({ outdated: 1, lastAnswer: { microblockHash: hashOf('a') } })
})
