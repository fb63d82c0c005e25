import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FaultScript } from '@hailstone/fault-injection'
import { describe, expect, test } from 'vitest'
import type { Outage, OutageOptions } from '../src/control/outages.ts'
import { ask, exchangeBytes } from './plain-http.ts'
import { beaconsOf, useFaultyGateway } from './use-faulty-gateway.ts'

const given = useFaultyGateway()
const { fault, hailed, opinion, judgements } = given

const BEACON = { message: 'on_leader_beacon' } as const

describe('endings', () => {
  test.each([1001, 1012, 1013, 4000])('a gateway says goodbye with %i', async (code) => {
    fault({ close: { code, reason: 'away' } }, { ...BEACON, nth: 1 })
    expect(await (await hailed()).closed).toBe(code)
  })

  test.each([
    ['in the middle of a beacon', { cut: { afterBytes: 100 } }, 0],
    ['in the middle of a beacon, with a reset', { cut: { afterBytes: 100, how: 'reset' } }, 0],
    ['before a beacon', { reset: {} }, 0],
    ['after a beacon', { reset: { when: 'after' } }, 1],
  ] as const)('a connection ends %s', async (_, one, beacons) => {
    fault(one, { ...BEACON, nth: 1 })
    const miner = await hailed()
    expect(await miner.closed).toBe(1006)
    expect(miner.frames).toHaveLength(beacons)
  })

  test.each([
    ['before', []],
    ['after', ['accepted']],
  ] as const)('a connection is reset %s a publication is judged', async (when, verdicts) => {
    using heard = judgements()
    fault({ reset: { when } }, { message: 'publish' })
    const miner = await hailed()
    // Once: a second beacon may come before the reset does.
    miner.publish(await miner.next())
    expect(await miner.closed).toBe(1006)
    expect(heard.verdicts).toEqual(verdicts)
  })

  test('a publication that is cut off is never judged', async () => {
    using heard = judgements()
    fault({ cut: {} }, { message: 'publish' })
    const miner = await hailed()
    miner.mine()
    expect(await miner.closed).toBe(1006)
    expect(heard.verdicts).toEqual([])
  })
})
describe('runs', () => {
  test('one seed gives one run, frame by frame', async () => {
    // The fifth ends the connection; on a busy machine a sixth is offered before the end is noticed.
    const counted = { ...BEACON, until: 5 }
    const rules: FaultScript['rules'] = [
      { on: 'gateway', match: { ...counted, probability: 0.5 }, fault: { forge: { what: 'publisher' } } },
      // A delay would order the frames by the pace of the machine.
      { on: 'gateway', match: { ...counted, every: 3 }, fault: { forge: { what: 'empty' } } },
      { on: 'gateway', match: { ...BEACON, nth: 5 }, fault: { cut: { afterBytes: [1, 500] } } },
    ]
    const run = async (seed: string) => {
      // A connection that is still closing would be sent the first beacon.
      await expect.poll(() => given.network.gateway.minersOnline().length).toBe(0)
      given.network.faults.set({ seed, rules })
      const miner = await hailed()
      expect(await miner.closed).toBe(1006)
      return { fired: given.network.faults.fired(), opinions: beaconsOf(miner).map(opinion) }
    }
    const first = await run('one')
    expect(await run('one')).toEqual(first)
    expect((await run('three')).fired).not.toEqual(first.fired)
  })

  test('a script that has ended leaves new connections alone', async () => {
    fault({ drop: true })
    await hailed()
    await expect.poll(() => given.network.faults.fired().length).toBe(1)
    given.network.faults.clear()
    expect(given.network.faults.fired()).toEqual([])
    expect(opinion(await (await hailed()).next())).toBe('signed')
  })
})

describe('outages', () => {
  /** Checks something during an outage. Where the machine took longer than the outage, a longer one is made. */
  async function during(
    options: Pick<OutageOptions, 'of' | 'closeCode'>,
    check: () => Promise<unknown>,
  ): Promise<Outage> {
    for (let durationMs = 1_500; ; durationMs *= 4) {
      const outage = await given.network.control.outage({ ...options, durationMs })
      let isOver = false
      const end = (): void => {
        isOver = true
      }
      outage.over.then(end, end)
      try {
        await check()
        return outage
      } catch (error) {
        if (!isOver) throw error
      }
    }
  }

  test('a gateway goes away with a closing handshake, refuses everybody, and comes back', async () => {
    const miner = await hailed()
    const outage = await during({ of: 'gateway', closeCode: 1012 }, async () => {
      expect(await miner.closed).toBe(1012)
      expect((await exchangeBytes(given.network.gatewayUrl, 'x')).ended).toBe('reset')
      const second = await given.network.control
        .outage({ of: 'gateway', durationMs: 1 })
        .catch((error) => error)
      await second.over
      expect(second).toMatchObject({ code: 'CONTROL_REFUSED' })
    })
    await outage.over
    expect(opinion(await (await hailed()).next())).toBe('signed')
  })

  test('the interface goes away and comes back, unless its port is taken meanwhile', async () => {
    const url = `${given.network.apiUrl}/height`
    // A program without types, with the word that other tools use.
    await expect(given.network.control.outage({ of: 'http' as never, durationMs: 1 })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'of', expected: 'one of api, gateway; did you mean "api"?', found: '"http"' },
    })
    await (await given.network.control.outage({ of: 'api', durationMs: 50 })).over
    expect((await ask(url)).status).toBe(200)
    let squatter: Server = createServer()
    const outage = await during({ of: 'api' }, async () => {
      expect((await ask(url)).error).toBe('ECONNREFUSED')
      squatter = createServer().listen(Number(new URL(url).port), '127.0.0.1')
      await once(squatter, 'listening')
    })
    await expect(outage.over).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    squatter.close()
  })
})
