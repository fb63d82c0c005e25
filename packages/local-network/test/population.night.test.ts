import { expect, test } from 'vitest'
import { describePopulation, playPopulation } from '../src/population/play-population.ts'
import { startLocalNetwork } from '../src/serve.ts'
import { ask } from './plain-http.ts'

const options = { seed: 'people', days: 20, macroblocksPerDay: 4, people: 60 }

test('a seed plays the same chain each time, which a network calculates anew and goes on with', async () => {
  const { population, height, counts, dump } = await playPopulation(options)
  expect(counts).toStrictEqual({ microblocks: 168, confirmed: 278, rejected: 21, refused: 3 })
  expect(describePopulation(options)).toStrictEqual(population)
  expect([height, population.people.length, population.agents.length, population.campaigns.length]).toEqual([
    80, 60, 12, 3,
  ])

  await using network = await startLocalNetwork({ load: dump, blockTimeMs: 3_600_000 })
  const tip = (await ask(`${network.apiUrl}/macroblock_by_height?height=80`)).text
  expect(JSON.parse(tip).kblock.hash).toBe('3451dcb47746c78a033a190ca35a865078f9417433e7a13f3527b01351567bd6')
  const { token, fates, accounts, startTime, outage, ownerSpent } = population

  const coins = (address: string) => network.balance(address as typeof fates.noRow, token.id) / 10n ** 10n
  expect(coins(fates.belowStake)).toBe(60n)
  expect(coins(fates.withdrew)).toBe(40n)
  expect([coins(fates.silent), coins(fates.noRow)]).toEqual([150n, 0n])
  expect(coins(fates.agentBelow)).toBeGreaterThan(150n)

  const mined = async (address: string): Promise<number> =>
    JSON.parse((await ask(`${network.apiUrl}/account_mreward?id=${address}&page=0`)).text).records?.length ??
    0
  expect(await mined(fates.agentWithoutRow)).toBeGreaterThan(0)
  for (const never of [fates.belowStake, fates.silent, fates.noRow]) expect(await mined(never)).toBe(0)

  /** Statuses of the token's transfers, and its microblocks, of one day. */
  const dayOf = async (day: number) => {
    const seen = { microblocks: 0, statuses: new Set<number>() }
    for (let at = day * 4; at < (day + 1) * 4; at++) {
      const block = JSON.parse((await ask(`${network.apiUrl}/macroblock_by_height?height=${at}`)).text)
      expect(block.kblock.time).toBe(startTime + at * 21_600)
      for (const { hash } of block.mblocks) {
        const { header, transactions } = JSON.parse((await ask(`${network.apiUrl}/mblock?hash=${hash}`)).text)
        if (header.token === token.id) seen.microblocks++
        for (const one of transactions) if (one.ticker === token.id) seen.statuses.add(one.status)
      }
    }
    return seen
  }
  expect((await dayOf(outage.from)).microblocks).toBe(0)
  expect((await dayOf(outage.from - 1)).microblocks).toBeGreaterThan(5)
  expect((await dayOf(ownerSpent.from)).statuses).toEqual(new Set([2]))
  expect((await dayOf(ownerSpent.from + 1)).statuses).toEqual(new Set([2]))
  expect((await dayOf(ownerSpent.to + 1)).statuses).toEqual(new Set([3]))
  expect(network.balance(accounts.owner.address)).toBeGreaterThan(0n)

  // Going back calculates the whole chain anew and compares it with what is stored.
  await network.control.mine(1)
  await network.control.reorganise(3)
  expect(network.height()).toBe(78)
})

test('after the days without any, the owner has native coins again, and the agent below its stake stays there', async () => {
  const { population, dump } = await playPopulation({
    seed: 'people',
    days: 60,
    macroblocksPerDay: 6,
    people: 100,
  })
  await using network = await startLocalNetwork({ load: dump, blockTimeMs: 3_600_000 })
  const { accounts, fates, token, people } = population
  const coin = 10n ** BigInt(token.decimals)
  expect(network.balance(accounts.owner.address)).toBeGreaterThan(10n * coin)
  const invited = people.find(({ account }) => account.address === fates.agentBelow)
  const agent = invited?.agents[0]?.agent
  if (agent === undefined || agent === null) throw new Error('it has an agent')
  expect(network.balance(agent, token.id)).toBe(400n * coin)
  const below = network.height() - 6 * 3
  const statuses = new Set<number>()
  for (let height = below; height < network.height(); height++) {
    const { mblocks } = JSON.parse(
      (await ask(`${network.apiUrl}/macroblock_by_height?height=${height}`)).text,
    )
    for (const { hash } of mblocks) {
      const { transactions } = JSON.parse((await ask(`${network.apiUrl}/mblock?hash=${hash}`)).text)
      for (const one of transactions) if (one.ticker === token.id) statuses.add(one.status)
    }
  }
  expect(statuses).toEqual(new Set([3]))
})
