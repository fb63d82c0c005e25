import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hailstone/client'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { checkIndex } from '../src/check-index.ts'
import { runCommand } from '../src/command.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain } from './test-chain.ts'

it('check compares every account, reward and kept figure with the API, and finds each that is changed', async () => {
  const random = randomOf(41)
  await using chain = await openTestChain('checked')
  for (let left = 25; left > 0; left--) await closeRandom(chain, random)
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  const { queries } = index
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  const check = () => checkIndex({ index, client, catchUp: writer.step })
  const whole = await check()
  expect(whole).toMatchObject({ differences: [], isStill: true, height: 24 })
  expect(whole.accounts).toBeGreaterThan(8)
  expect(whole.rewards).toBeGreaterThan(20)
  const changes: readonly (readonly [string, string])[] = [
    ['balance', 'update holding set amount = amount + 1 where account = (select max(account) from holding)'],
    ['balance', 'delete from holding where account = (select max(account) from holding)'],
    ['reward', 'update reward set amount = amount + 1 where height = (select max(height) from reward)'],
    ['reward', 'delete from reward where height = (select min(height) from reward where amount > 0)'],
    ['supply', 'update token set total_supply = total_supply - 1'],
    ['microblocks of a miner', 'update miner set microblocks = microblocks + 1'],
    ['earned of a miner', 'update miner set earned = earned - 1'],
    ['miners of an agent', 'update agent_total set miners = miners + 1'],
    ['earned of an agent', 'update agent_total set earned = earned + 1'],
    ['microblocks of an agent', 'update agent_total set microblocks = microblocks - 1'],
    ['miners of day', 'update token_day set active = active + 1 where active > 0'],
    ['rewards of day', 'update token_day set mined = mined + 1'],
    ['miners of 30 days', 'update token_day set month_step = month_step + 1 where active > 0'],
    ['holders of all bands', 'update stake_band set holders = holders + 1'],
    ['miners of all bands', 'update stake_band set miners = miners - 1'],
    ['microblocks of a miner', 'delete from miner where account = (select max(account) from miner)'],
    ['microblocks of an agent', 'delete from agent_total where agent = (select max(agent) from agent_total)'],
    ['miners of day', 'delete from token_day where day = (select max(day) from token_day where active > 0)'],
    ['rewards of day', 'delete from token_day where day = (select max(day) from token_day where mined > 0)'],
  ]
  for (const [subject, change] of changes) {
    const undone = queries.transaction().execute(async (transaction) => {
      await sql.raw(change).execute(transaction)
      const { differences } = await checkIndex({
        ...{ index: { queries: transaction }, client },
        catchUp: async () => undefined,
      })
      expect([change, differences.some((one) => one.subject.startsWith(subject))]).toEqual([change, true])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
  }
  expect((await check()).differences).toEqual([])
})

it('check of a chain that moves meanwhile compares again what differed, and finds nothing', async () => {
  const random = randomOf(43)
  await using chain = await openTestChain('moving')
  for (let left = 5; left > 0; left--) await closeRandom(chain, random)
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  let rounds = 0
  const report = await checkIndex({
    ...{ index, client },
    async catchUp() {
      await writer.step()
      if (++rounds < 4) await closeRandom(chain, random)
    },
  })
  expect(report).toMatchObject({ differences: [], height: 7 })
  expect(rounds).toBe(4)
})

it('check of a token that cannot be mined compares no bands, which it has not', async () => {
  const random = randomOf(45)
  await using chain = await openTestChain('not mined')
  for (let left = 5; left > 0; left--) await closeRandom(chain, random)
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  const tokenIds = [chain.token.id, chain.genesis.tokens.fixed.id]
  await using writer = await openWriter({ index, client, tokenIds })
  expect(await checkIndex({ index, client, catchUp: writer.step })).toMatchObject({ differences: [] })
  expect(
    await index.queries.selectFrom('holding').select('account').where('token', '=', 2).execute(),
  ).not.toEqual([])
})

it('check of a sample asks for that many accounts', async () => {
  await using chain = await openTestChain('sampled')
  for (let left = 5; left > 0; left--) await closeRandom(chain, randomOf(42))
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  const report = await checkIndex({ index, client, catchUp: writer.step, sample: 3 })
  expect(report).toMatchObject({ accounts: 3, differences: [] })
})

it('the command says what differs and ends with 1, else with 0', async () => {
  await using chain = await openTestChain('command')
  for (let left = 5; left > 0; left--) await closeRandom(chain, randomOf(44))
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-check-'))
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const check = async () => {
    written.mockClear()
    const options = ['--api', chain.apiUrl, '--token', chain.token.id, '--data', folder]
    const code = await runCommand(['check', ...options])
    return { code, text: written.mock.calls.map(([text]) => String(text)).join('') }
  }
  try {
    expect(await check()).toMatchObject({ code: 0, text: expect.stringContaining(', 0 differences') })
    {
      await using index = await openIndex({ folder })
      await index.queries.updateTable('token').set({ total_supply: 5n }).execute()
    }
    const supply = chain.blocks.at(-1)?.closed.changes.tokens.find(({ id }) => id === chain.token.id)
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        `^supply in ${chain.token.id}: 5, should be ${supply?.totalSupply ?? chain.token.totalSupply}\n.*, 1 differences\n$`,
      ),
    })
  } finally {
    written.mockRestore()
    await rm(folder, { recursive: true, force: true })
  }
})

it('the command says why an index cannot follow its API, and compares nothing', async () => {
  await using chain = await openTestChain('behind')
  for (let left = 5; left > 0; left--) await closeRandom(chain, randomOf(49))
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-check-'))
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const complained = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const check = () =>
    runCommand(['check', '--api', chain.apiUrl, '--token', chain.token.id, '--data', folder])
  try {
    expect(await check()).toBe(0)
    await chain.rewind(2)
    written.mockClear()
    expect(await check()).toBe(1)
    expect(complained.mock.calls.join('')).toContain('The API is at height 1, below this index.')
    expect(written).not.toHaveBeenCalled()
  } finally {
    written.mockRestore()
    complained.mockRestore()
    await rm(folder, { recursive: true, force: true })
  }
})
