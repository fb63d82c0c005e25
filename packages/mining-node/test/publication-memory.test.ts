import { type Address, type Hash, sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { followFleetTip } from '../src/fleet/fleet-tip.ts'
import { sessionClock } from '../src/session/clock.ts'
import { followPublications } from '../src/watchers/follow-publications.ts'
import { modelChain } from './model-chain.ts'
import { steppedClock } from './stepped-clock.ts'

const account = `02${'ab'.repeat(32)}` as Address
const hashes = (count: number): readonly Hash[] =>
  Array.from({ length: count }, (_, at) => sha256Hex(`published ${at}`))
const fail = (error: Error): never => {
  throw error
}

function fleetTip(
  model: ReturnType<typeof modelChain>,
  clock: ReturnType<typeof steppedClock>,
  { size, onIncluded }: { size: number; onIncluded: Parameters<typeof followFleetTip>[0]['onIncluded'] },
) {
  const nothing = (): void => undefined
  return followFleetTip({
    client: { ...model.clientOf(clock) } as never,
    ...{ pollIntervalMs: 2_000, size: () => size, clock: sessionClock(clock), blockTimeMs: 15_000 },
    ...{
      onIncluded,
      onMissed: nothing,
      onExcluded: nothing,
      onHeight: nothing,
      onMined: nothing,
      onError: fail,
    },
  })
}

describe('publications while the API stands still', () => {
  it('are remembered up to a limit by a node, and nothing is said of what was forgotten', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    const settled: string[] = []
    const publications = followPublications({
      client: model.clientOf(clock),
      pollIntervalMs: 2_000,
      onIncluded: () => settled.push('included'),
      onMissed: () => settled.push('missed'),
      onError: fail,
    })
    await clock.advance(5_000)
    const all = hashes(10_000)
    for (const hash of all) publications.published(hash, model.keyBlockHash())
    expect(all.filter(publications.has)).toEqual(all.slice(-4_096))
    for (let block = 0; block < 12; block++) {
      model.mine([])
      await clock.advance(4_000)
    }
    expect(settled).toEqual(Array.from({ length: 4_096 }, () => 'missed'))
    await publications.stop()
  })

  it.each([0, 4, 30])('are none that are missed while it is %i macroblocks behind', async (lag) => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 40; block++) model.mine([])
    model.faults.lag = lag
    const settled: string[] = []
    await using publications = followPublications({
      client: model.clientOf(clock),
      pollIntervalMs: 2_000,
      onIncluded: () => settled.push('included'),
      onMissed: () => settled.push('missed'),
      onError: fail,
    })
    for (let block = 0; block < 60; block++) {
      model.mine([])
      publications.published(model.microblockHash(), model.keyBlockHash())
      await clock.advance(15_000)
    }
    expect(settled).toEqual(Array.from({ length: 60 - lag }, () => 'included'))
  })

  it.each([15, 60])('are told by a fleet to be included where it is %i macroblocks behind', async (lag) => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 70; block++) model.mine([])
    model.faults.lag = lag
    const included: number[] = []
    await using tip = fleetTip(model, clock, { size: 1, onIncluded: (_, node) => included.push(node) })
    for (let block = 0; block < 90; block++) {
      model.mine([])
      tip.published(model.microblockHash(), block, model.keyBlockHash())
      await clock.advance(15_000)
    }
    expect(included).toEqual(Array.from({ length: 90 - lag }, (_, node) => node))
  })

  it('are missed once and included later where it is sixty macroblocks behind', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 70; block++) model.mine([])
    model.faults.lag = 60
    const settled: string[] = []
    await using publications = followPublications({
      client: model.clientOf(clock),
      pollIntervalMs: 2_000,
      onIncluded: (_, { isMissed }) => settled.push(isMissed ? 'included after all' : 'included'),
      onMissed: () => settled.push('missed'),
      onError: fail,
    })
    for (let block = 0; block < 70; block++) {
      model.mine([])
      if (block < 5) publications.published(model.microblockHash(), model.keyBlockHash())
      await clock.advance(15_000)
    }
    expect(settled).toEqual(['missed', 'included after all'].flatMap((one) => Array(5).fill(one)))
  })

  it('are included once where they are sent again, by way of a gateway that is behind', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    const settled: string[] = []
    await using publications = followPublications({
      client: model.clientOf(clock),
      pollIntervalMs: 2_000,
      onIncluded: () => settled.push('included'),
      onMissed: () => settled.push('missed'),
      onError: fail,
    })
    await clock.advance(5_000)
    model.mine([])
    const publish = () => publications.published(hash, keyBlockHash)
    const [hash, keyBlockHash] = [model.microblockHash(), model.keyBlockHash()]
    publish()
    await clock.advance(15_000)
    publish()
    for (let block = 0; block < 12; block++) {
      model.mine([])
      await clock.advance(15_000)
    }
    expect(settled).toEqual(['included'])
  })

  it('are included where the header of another one cannot be read', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    const client = model.clientOf(clock)
    const unreadable: string[] = []
    const request: typeof client.transport.request = async (asked) => {
      const isUnreadable = asked.path === '/mblock' && unreadable.some((hash) => asked.query?.includes(hash))
      return isUnreadable
        ? { status: 500, contentType: 'text/plain', text: '' }
        : client.transport.request(asked)
    }
    const included: Hash[] = []
    await using publications = followPublications({
      client: { ...client, transport: { ...client.transport, request } },
      pollIntervalMs: 2_000,
      onIncluded: ({ microblockHash }) => included.push(microblockHash),
      onError: () => undefined,
    })
    await clock.advance(5_000)
    const all: Hash[] = []
    for (let block = 0; block < 3; block++) {
      model.mine([])
      all.push(model.microblockHash())
      unreadable[0] ??= model.microblockHash()
      publications.published(model.microblockHash(), model.keyBlockHash())
      await clock.advance(30_000)
    }
    expect(included).toEqual(all.slice(1))
  })

  it.each([
    [1, 4_096],
    [1_000, 16_000],
  ])('are remembered by a fleet of %i up to %i', async (size, limit) => {
    const [model, clock] = [modelChain(account), steppedClock()]
    const tip = fleetTip(model, clock, { size, onIncluded: () => undefined })
    const all = hashes(3 * limit)
    for (const hash of all) tip.published(hash, 0, all[0] as Hash)
    expect(all.filter(tip.has)).toEqual(all.slice(-limit))
    await tip.stop()
  })
})
