import { createClient } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import type { Address } from '@hailstone/protocol'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { addressNamed } from '../../../packages/indexer/test/population.ts'
import {
  openTestChain,
  type TestChain,
  type TestMicroblock,
  transfer,
} from '../../../packages/indexer/test/test-chain.ts'
import { explain, type Verdict } from '../src/figures/explain.ts'
import { readSnapshot } from '../src/figures/read-snapshot.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { openFollower } from '../src/open-follower.ts'

const DAY = 86_400
const TOKEN = 10n ** 10n

const openings: AsyncDisposable[] = []
afterEach(async () => {
  for (const opening of openings.splice(0).reverse()) await opening[Symbol.asyncDispose]()
})

type Story = {
  readonly chain: TestChain
  /** Accounts that hold the token from the beginning. */
  readonly people: readonly Address[]
  /** Closes a macroblock of microblocks in the token; the next one comes a day later. */
  readonly mine: (
    ...microblocks: readonly Omit<TestMicroblock, 'tokenId' | 'transactions'>[]
  ) => Promise<void>
  /** Closes a macroblock with a payment in the token, in a microblock of another token. */
  readonly pay: (from: Address, to: Address, amount: bigint) => Promise<void>
  /** @param statement changes the tables before the question */
  readonly ask: (
    address: Address,
    days: number,
    statement?: RawBuilder<unknown>,
  ) => Promise<ReadonlyMap<string, Verdict>>
}

/** A chain with one macroblock a day, and the questions that the console answers about it. */
async function openStory(): Promise<Story> {
  const chain = await openTestChain('explanations')
  openings.push(chain)
  const { genesis, token } = chain
  const [payer, receiver] = [genesis.accounts.faucet.address, addressNamed('receiver')]
  const native = genesis.tokens.native.id
  const filler = () => transfer({ from: payer, to: receiver, amount: 5n, tokenId: native })
  return {
    chain,
    people: genesis.accounts.developers.map(({ address }) => address),
    mine: (...microblocks) =>
      chain.close(
        microblocks.map((one) => ({ ...one, tokenId: token.id, transactions: [filler()] })),
        DAY,
      ),
    pay: (from, to, amount) =>
      chain.close(
        [
          {
            ...{ publisher: payer, tokenId: native },
            transactions: [transfer({ from, to, amount, tokenId: token.id })],
          },
        ],
        DAY,
      ),
    async ask(address, days, statement) {
      await using client = createClient({ apiUrl: chain.apiUrl })
      await using index = await openIndex()
      await openLabelTables(index)
      await using follower = await openFollower({ index, client, tokenId: token.id })
      await follower.catchUp()
      await statement?.execute(index.queries)
      const { data } = await readSnapshot({ follower, nowMs: Date.now() }, (context) =>
        explain(context, { address, days }),
      )
      return new Map(data.map((one) => [one.code, one]))
    },
  }
}

describe('an account without a microblock in the asked days', () => {
  it('has left if its own silence is too long for chance, however few days are asked for', async () => {
    const { people, mine, ask } = await openStory()
    const [leaver, other] = people as readonly [Address, Address]
    await mine({ publisher: leaver })
    for (let days = 60; days > 0; days--) await mine({ publisher: other })
    for (const days of [1, 7, 30]) {
      const verdicts = await ask(leaver, days)
      expect([days, ...verdicts.keys()]).toStrictEqual([days, 'NOT_SEEN'])
      const { sentence, evidence } = verdicts.get('NOT_SEEN') as Verdict
      expect(sentence).toMatch(
        /^It last mined on 2023-11-14\. Of the 60 microblocks of the days after that about \d\d\.\d would/,
      )
      expect(evidence).toMatchObject({ lastMinedDay: '2023-11-14', lastMinedHeight: 0, microblocks: 60 })
    }
  })

  it('had no luck if chance explains the silence, with the day of its last microblock', async () => {
    const { people, mine, ask } = await openStory()
    const [miner, other] = people as readonly [Address, Address]
    await mine({ publisher: miner })
    for (let days = 8; days > 0; days--) await mine({ publisher: other })
    const verdicts = await ask(miner, 7)
    expect([...verdicts.keys()]).toStrictEqual(['UNLUCKY'])
    expect(verdicts.get('UNLUCKY')).toMatchObject({
      sentence: expect.stringMatching(/^It last mined on 2023-11-14\. Of the 8 microblocks of the days/),
      evidence: { lastMinedDay: '2023-11-14', microblocks: 8 },
    })
  })

  it('is weighed beside all who mined since, however few of them did in the asked days', async () => {
    const { people, mine, ask } = await openStory()
    const [miner, ...others] = people as readonly [Address, ...Address[]]
    await mine({ publisher: miner })
    for (let day = 0; day < 12; day++) await mine({ publisher: others[day % others.length] as Address })
    for (const days of [1, 3, 7, 12]) {
      const verdicts = await ask(miner, days)
      expect([days, ...verdicts.keys()]).toStrictEqual([days, 'UNLUCKY'])
      expect(verdicts.get('UNLUCKY')?.evidence).toMatchObject({ microblocks: 12, expected: 2.4 })
    }
  })

  it('is weighed in the asked days if it never had one, from its first stake on', async () => {
    const { people, mine, pay, ask } = await openStory()
    const [always, other, payer] = people as readonly [Address, Address, Address]
    const late = addressNamed('late')
    for (let days = 8; days > 0; days--) await mine({ publisher: other })
    await pay(payer, late, 1000n * TOKEN)
    for (let days = 2; days > 0; days--) await mine({ publisher: other })
    const first = (await ask(always, 7)).get('UNLUCKY')
    expect(first?.sentence).toMatch(
      /^It never had a microblock\. Of the 6 microblocks in these 7 days about 3\.0 /,
    )
    expect(first?.evidence).toMatchObject({ lastMinedDay: null, microblocks: 6 })
    expect((await ask(late, 7)).get('UNLUCKY')?.sentence).toMatch(
      /^It never had a microblock\. Of the 2 microblocks in these 7 days while it had the least stake about /,
    )
  })
})

describe('an account that was below the least stake in between', () => {
  /** 40 days in which others mine: what one miner of two cannot have missed by chance. */
  async function openSilence() {
    const story = await openStory()
    const { chain, people, mine, pay } = story
    const [silent, other, payer] = people as readonly [Address, Address, Address]
    await mine({ publisher: silent })
    const spent = chain.genesis.content.balances.find(
      ({ account, tokenId }) => account === silent && tokenId === chain.token.id,
    )?.amount as bigint
    await pay(silent, payer, spent + 10n * TOKEN)
    for (let days = 40; days > 0; days--) await mine({ publisher: other })
    await pay(payer, silent, 40_000n * TOKEN)
    for (let days = 2; days > 0; days--) await mine({ publisher: other })
    return { ...story, silent }
  }

  it('is not accused of that time, which has a verdict of its own', async () => {
    const { silent, ask } = await openSilence()
    const verdicts = await ask(silent, 30)
    expect([...verdicts.keys()]).toStrictEqual(['BELOW_STAKE', 'UNLUCKY'])
    expect(verdicts.get('BELOW_STAKE')).toMatchObject({
      sentence: expect.stringMatching(
        /^The balance was below the least stake of \d+ \w+ once in these 30 days, up to height 42;/,
      ),
      evidence: { belowToHeight: 42, times: 1 },
    })
    expect(verdicts.get('UNLUCKY')).toMatchObject({
      sentence: expect.stringMatching(
        /^It last mined on 2023-11-14\. Of the 2 microblocks of the days after that while it had the least stake about/,
      ),
      evidence: { microblocks: 2, stakeUnknownToHeight: null },
    })
    expect([...(await ask(silent, 2)).keys()]).toStrictEqual(['UNLUCKY'])
  })

  it('is told the height from which it is below', async () => {
    const { people, mine, pay, ask } = await openStory()
    const [silent, payer] = people as readonly [Address, Address]
    await mine({ publisher: silent })
    await pay(silent, payer, 50_010n * TOKEN - 5n)
    const verdicts = await ask(silent, 7)
    expect(verdicts.get('BELOW_STAKE')?.evidence).toMatchObject({ balance: '5', belowAfterHeight: 1 })
  })

  it('is not accused of a time of which an older index kept no changes', async () => {
    const { silent, ask } = await openSilence()
    const older = sql`with gone as (delete from stake_change where height < 40)
      update network set stake_changes_from = 40`
    const verdicts = await ask(silent, 30, older)
    expect(verdicts.get('UNLUCKY')).toMatchObject({
      sentence: expect.stringContaining('up to height 39 is not known, so nothing of that time is counted'),
      evidence: { microblocks: 2, stakeUnknownToHeight: 39 },
    })
  })
})

describe('a reward', () => {
  it('that one microblock got whole is paid, and not paid less', async () => {
    const { people, mine, ask } = await openStory()
    const [miner] = people as readonly [Address]
    await mine({ publisher: miner })
    const verdicts = await ask(miner, 7)
    expect([...verdicts.keys()]).toStrictEqual(['PAID'])
    expect(verdicts.get('PAID')?.sentence).toMatch(
      /^One microblock paid 10 \w+ in these 7 days, the newest at height 0/,
    )
  })

  it('is summed with all others of these days, however many there are, and one that differs is found among them', async () => {
    const { people, mine, ask } = await openStory()
    const [miner] = people as readonly [Address]
    await mine({ publisher: miner })
    const verdicts = await ask(
      miner,
      7,
      sql`with more as (insert into microblock select height, 100 + n, token, account, null, md5(n::text), stake
          from microblock, generate_series(1, 600) n returning *)
        insert into reward select height, 100 + ordinal, token, account, 1, ordinal, ${String(TOKEN)}::numeric,
          case when ordinal = 700 then ${String(2n * TOKEN)}::numeric end from more`,
    )
    expect(verdicts.get('PAID')).toMatchObject({
      sentence: expect.stringMatching(/^601 microblocks paid 610 \w+ in these 7 days/),
      evidence: { paid: String(610n * TOKEN) },
    })
    expect(verdicts.get('UNEXPLAINED')?.evidence).toMatchObject({
      stated: String(TOKEN),
      computed: String(2n * TOKEN),
    })
  })

  it('that two microblocks of one miner share is not less', async () => {
    const { people, mine, ask } = await openStory()
    const [miner] = people as readonly [Address]
    await mine({ publisher: miner }, { publisher: miner })
    expect([...(await ask(miner, 7)).keys()]).toStrictEqual(['PAID'])
  })

  it('that several microblocks shared is less by the stake, of the newest that was shared', async () => {
    const { chain, people, mine, pay, ask } = await openStory()
    const [miner, other] = people as readonly [Address, Address]
    await pay(miner, addressNamed('buyer'), 40_000n * TOKEN)
    await mine({ publisher: miner }, { publisher: other })
    await mine({ publisher: miner })
    const verdicts = await ask(miner, 7)
    expect([...verdicts.keys()]).toStrictEqual(['PAID', 'PAID_LESS'])
    const { symbol } = chain.token
    expect(verdicts.get('PAID_LESS')).toMatchObject({
      sentence: `The reward at height 1 was 1.66… ${symbol} and not all 10 ${symbol}: 2 microblocks shared the macroblock by their stake, and this one had 16.6 % of it.`,
      evidence: { height: 1, microblocks: 2, pool: String(10n * TOKEN) },
    })
  })

  it('that is less than the rules give is told with both amounts', async () => {
    const { chain, people, mine, ask } = await openStory()
    const [miner] = people as readonly [Address]
    await mine({ publisher: miner })
    await mine({ publisher: miner })
    // As the indexer keeps a reward of which the API states one unit less than it computed.
    const verdicts = await ask(
      miner,
      7,
      sql`update reward set amount = amount - 1, expected = amount where kind = 1 and height = 0`,
    )
    expect([...verdicts.keys()]).toStrictEqual(['PAID', 'UNEXPLAINED'])
    const { symbol } = chain.token
    expect(verdicts.get('UNEXPLAINED')).toMatchObject({
      sentence: `At height 0 the network states a reward of 9.9999999999 ${symbol}, where the rules give 10 ${symbol}.`,
      evidence: { stated: String(10n * TOKEN - 1n), computed: String(10n * TOKEN) },
    })
  })
})

describe('what happened before the asked days', () => {
  it('is no change of the agent; one in these days has both agents by name', async () => {
    const { people, mine, ask } = await openStory()
    const [miner, one, two] = people as readonly [Address, Address, Address]
    await mine({ publisher: miner, agent: one })
    await mine({ publisher: miner, agent: two })
    await mine({ publisher: miner, agent: two })
    await mine({ publisher: miner })
    const inOneDay = await ask(miner, 1)
    expect(inOneDay.get('AGENT_OTHER')).toMatchObject({
      sentence: 'Its microblocks changed their agent once on this day: since height 3 they name no agent.',
      evidence: { agentNow: 'none', agentBefore: two, changedAtHeight: 3, changes: 1 },
    })
    expect((await ask(miner, 3)).get('AGENT_OTHER')?.evidence).toMatchObject({ changes: 2 })
    await mine({ publisher: miner })
    expect((await ask(miner, 1)).has('AGENT_OTHER')).toBe(false)
    await mine({ publisher: miner, agent: one })
    expect((await ask(miner, 1)).get('AGENT_OTHER')).toMatchObject({
      sentence: expect.stringContaining('since height 5 they name another one.'),
      evidence: { agentNow: one, agentBefore: 'none', changedAtHeight: 5 },
    })
  })

  it('is no rejected payment', async () => {
    const { people, mine, pay, ask } = await openStory()
    const [miner] = people as readonly [Address]
    await pay(addressNamed('nobody'), miner, TOKEN)
    expect((await ask(miner, 7)).get('REJECTED')?.evidence).toMatchObject({ height: 0 })
    for (let days = 7; days > 0; days--) await mine({ publisher: miner })
    expect((await ask(miner, 8)).has('REJECTED')).toBe(true)
    expect((await ask(miner, 7)).has('REJECTED')).toBe(false)
  })
})
