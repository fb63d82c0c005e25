import { expect, test } from 'vitest'
import { describePopulation, playPopulation } from '../src/population/play-population.ts'
import { startLocalNetwork } from '../src/serve.ts'
import { ask } from './plain-http.ts'

const options = { seed: 'people', days: 20, macroblocksPerDay: 4, people: 60 }

test('a seed plays the same chain each time, which a network calculates anew and goes on with', async () => {
  const { population, height, counts, dump } = await playPopulation(options)
  expect(counts).toStrictEqual({ microblocks: 165, confirmed: 280, rejected: 19, refused: 6 })
  expect(describePopulation(options)).toStrictEqual(population)
  expect([height, population.people.length, population.agents.length, population.campaigns.length]).toEqual([
    80, 60, 12, 3,
  ])

  await using network = await startLocalNetwork({ load: dump, blockTimeMs: 3_600_000 })
  const tip = (await ask(`${network.apiUrl}/macroblock_by_height?height=80`)).text
  expect(JSON.parse(tip).kblock.hash).toBe('71a78f2fe3b44741e9b44e22763a7ff04e3bc153fb82a92d4ce2dcdb71cd5644')
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
