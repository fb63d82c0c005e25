import type { Address, Hash, TokenId } from '@hailstone/protocol'
import type { CalculatedBlock, TestChain } from './test-chain.ts'

/**
 * Every figure of an index, counted anew over the whole history as anybody could: sets of miners by day, sums over lists. It
 * knows the ledger's own report and nothing of the indexer.
 */
export type ExpectedFigures = {
  readonly holdings: Readonly<Record<Address, bigint>>
  readonly miners: Readonly<Record<Address, object>>
  readonly days: Readonly<Record<number, object>>
  readonly hours: Readonly<Record<number, object>>
  readonly cohorts: Readonly<Record<string, number>>
  readonly agents: Readonly<Record<Address, object>>
  readonly agentDays: Readonly<Record<string, object>>
  readonly bands: Readonly<Record<number, object>>
  /** Changes from one side of the minimum stake to the other, as height, account and whether it is below. */
  readonly stakes: readonly string[]
  readonly rewards: readonly string[]
  readonly transfers: readonly string[]
  readonly supply: bigint
}

type Mined = {
  readonly height: number
  readonly hour: number
  readonly day: number
  readonly hash: Hash
  readonly publisher: Address
  readonly agent: Address | null
  readonly own: bigint
  readonly ofMiner: bigint
  readonly ofAgent: bigint
  readonly ofOwner: bigint
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const week = (day: number): number => Math.floor((day + 3) / 7)

function hoursOf(blocks: readonly CalculatedBlock[]): readonly number[] {
  let newest = 0
  return blocks.map(({ macroblock }) => {
    newest = Math.max(newest, Math.floor(macroblock.keyBlock.time / 3600))
    return newest
  })
}

/** Microblocks of the token with what the ledger paid for each. */
function minedOf(blocks: readonly CalculatedBlock[], tokenId: TokenId): readonly Mined[] {
  const hours = hoursOf(blocks)
  return blocks.flatMap(({ macroblock, closed }, height) =>
    [...macroblock.microblocks]
      .filter((microblock) => microblock.tokenId === tokenId)
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ hash, publisher, referralAgent }) => {
        const records = closed.report.records.filter((record) => record.hash === hash)
        const referral = records.filter(({ type }) => type === 'iref').map(({ value }) => value)
        const own = sum(records.filter(({ type }) => type === 'im').map(({ value }) => value))
        // One record is the owner's; of two, the first is the miner's, the other that of agent or owner.
        const isHalved = referral.length === 2
        const second = records.filter(({ type }) => type === 'iref')[1]
        const hour = hours[height] ?? 0
        const isAgents = isHalved && second?.account === referralAgent && isQualified(closed, second, blocks)
        return {
          ...{ height, hour, day: Math.floor(hour / 24), hash, publisher, agent: referralAgent, own },
          ofMiner: isHalved ? (referral[0] ?? 0n) : 0n,
          ofAgent: isAgents ? (referral[1] ?? 0n) : 0n,
          ofOwner: isHalved ? (isAgents ? 0n : (referral[1] ?? 0n)) : (referral[0] ?? 0n),
        }
      }),
  )
}

/** The owner as its own unqualified agent cannot be told from a qualified one by the record; none is in these histories. */
const isQualified = (..._: readonly unknown[]): boolean => true

/** Distinct miners of the days from … to. */
const distinct = (mined: readonly Mined[], from: number, to: number): number =>
  new Set(mined.filter(({ day }) => day >= from && day <= to).map(({ publisher }) => publisher)).size

export function bruteForce(chain: TestChain, opening: Readonly<Record<Address, bigint>>): ExpectedFigures {
  const { token, blocks } = chain
  const mined = minedOf(blocks, token.id)
  const hours = hoursOf(blocks)
  const transfers = blocks.flatMap(({ macroblock, closed }, height) =>
    macroblock.microblocks.flatMap(({ transactions }) =>
      transactions
        .filter(({ tokenId }) => tokenId === token.id)
        .map((transaction) => ({ height, hour: hours[height] ?? 0, transaction, closed })),
    ),
  )
  const holdings: Record<Address, bigint> = { ...opening }
  let supply = token.totalSupply as bigint
  for (const { closed } of blocks) {
    for (const { account, tokenId, after } of closed.changes.balances)
      if (tokenId === token.id) holdings[account] = after
    for (const changed of closed.changes.tokens) if (changed.id === token.id) supply = changed.totalSupply
  }
  const publishers = [...new Set(mined.map(({ publisher }) => publisher))]
  const days = [...new Set([...mined.map(({ day }) => day)])]
  return {
    holdings,
    supply,
    miners: Object.fromEntries(
      publishers.map((publisher) => {
        const own = mined.filter((one) => one.publisher === publisher)
        const last = own.at(-1)
        const agent = last?.agent ?? null
        let since = own.length - 1
        while (since > 0 && own[since - 1]?.agent === agent) since--
        return [
          publisher,
          {
            ...{ first_height: own[0]?.height, first_day: own[0]?.day, last_height: last?.height },
            ...{ last_day: last?.day, last_hour: last?.hour, microblocks: BigInt(own.length), agent },
            active_days: new Set(own.map(({ day }) => day)).size,
            earned: sum(own.flatMap((one) => [one.own, one.ofMiner])),
            agent_since: agent === null && since === 0 ? null : own[since]?.height,
            is_below: (holdings[publisher] ?? 0n) < (token.mining?.minimumStake ?? 0n),
          },
        ]
      }),
    ),
    days: Object.fromEntries(
      days.map((day) => {
        const own = mined.filter((one) => one.day === day)
        const active = [...new Set(own.map(({ publisher }) => publisher))]
        const before = (publisher: Address) =>
          mined.filter((one) => one.publisher === publisher && one.day < day).map((one) => one.day)
        return [
          day,
          {
            active: active.length,
            new: active.filter((publisher) => before(publisher).length === 0).length,
            returned: active.filter((publisher) => {
              const earlier = before(publisher)
              return earlier.length > 0 && Math.max(...earlier) < day - 30
            }).length,
            ...{
              active_7_days: distinct(mined, day - 6, day),
              active_30_days: distinct(mined, day - 29, day),
            },
            blocks: new Set(own.map(({ height }) => height)).size,
            microblocks: own.length,
            mined: sum(own.map((one) => one.own)),
            miner_half: sum(own.map((one) => one.ofMiner)),
            agent_half: sum(own.map((one) => one.ofAgent)),
            owner_part: sum(own.map((one) => one.ofOwner)),
            lost: sum(own.filter(({ agent }) => agent !== null).map((one) => one.ofOwner)),
          },
        ]
      }),
    ),
    hours: Object.fromEntries(
      [...new Set(mined.map(({ hour }) => hour))].map((hour) => {
        const own = mined.filter((one) => one.hour === hour)
        const active = new Set(own.map(({ publisher }) => publisher)).size
        return [hour, { active, microblocks: own.length, mined: sum(own.map((one) => one.own)) }]
      }),
    ),
    cohorts: cohortsOf(mined),
    agents: agentsOf(mined),
    agentDays: Object.fromEntries(
      [
        ...new Set(mined.filter(({ agent }) => agent !== null).map(({ agent, day }) => `${agent} ${day}`)),
      ].map((id) => {
        const own = mined.filter(({ agent, day }) => `${agent} ${day}` === id)
        const first = (one: Mined) => mined.find(({ publisher }) => publisher === one.publisher) === one
        return [
          id,
          {
            ...{ microblocks: own.length, earned: sum(own.map((one) => one.ofAgent)) },
            ...{ lost: sum(own.map((one) => one.ofOwner)), new_miners: own.filter(first).length },
          },
        ]
      }),
    ),
    stakes: stakesOf(chain, opening),
    bands: bandsOf(holdings, publishers, token.mining?.minimumStake ?? 1n),
    rewards: mined.flatMap(
      (one) =>
        blocks[one.height]?.closed.report.records
          .filter(({ hash }) => hash === one.hash)
          .map(({ account, value }) => `${one.height} ${account} ${value}`) ?? [],
    ),
    transfers: transfers.map(
      ({ height, transaction }) => `${height} ${transaction.from} ${transaction.to} ${transaction.amount}`,
    ),
  }
}

/** By comparing the balances of all accounts after each block, where the indexer looks at those that a block moved. */
function stakesOf(
  { token, blocks }: TestChain,
  opening: Readonly<Record<Address, bigint>>,
): readonly string[] {
  const minimum = token.mining?.minimumStake ?? 0n
  const holdings = new Map(Object.entries(opening))
  const below = new Map<string, boolean>()
  for (const [account, amount] of holdings) below.set(account, amount < minimum)
  return blocks.flatMap(({ closed }, height) => {
    for (const { account, tokenId, after } of closed.changes.balances)
      if (tokenId === token.id) holdings.set(account, after)
    return [...holdings].flatMap(([account, amount]) => {
      const [was, is] = [below.get(account) ?? true, amount < minimum]
      below.set(account, is)
      return was === is ? [] : [`${height} ${account} ${is}`]
    })
  })
}

function cohortsOf(mined: readonly Mined[]): Readonly<Record<string, number>> {
  const cells = new Map<string, Set<Address>>()
  for (const { publisher, day } of mined) {
    const first = mined.find((one) => one.publisher === publisher)?.day ?? day
    const cell = `${week(first)} ${week(day)}`
    cells.set(cell, (cells.get(cell) ?? new Set()).add(publisher))
  }
  return Object.fromEntries([...cells].map(([cell, miners]) => [cell, miners.size]))
}

function agentsOf(mined: readonly Mined[]): Readonly<Record<Address, object>> {
  const newest = new Map<Address, Address | null>()
  for (const { publisher, agent } of mined) newest.set(publisher, agent)
  const agents = [...new Set(mined.flatMap(({ agent }) => agent ?? []))]
  return Object.fromEntries(
    agents.map((agent) => {
      const own = mined.filter((one) => one.agent === agent)
      return [
        agent,
        {
          ...{ microblocks: BigInt(own.length), earned: sum(own.map((one) => one.ofAgent)) },
          ...{ lost: sum(own.map((one) => one.ofOwner)), first_day: own[0]?.day, last_day: own.at(-1)?.day },
          miners: [...newest.values()].filter((one) => one === agent).length,
        },
      ]
    }),
  )
}

/** By comparing with every power, where the indexer counts bits. */
function bandsOf(
  holdings: Readonly<Record<Address, bigint>>,
  publishers: readonly Address[],
  minimum: bigint,
): Readonly<Record<number, object>> {
  const bandOf = (amount: bigint): number => {
    if (amount === 0n) return -9
    for (let band = 40; band >= 0; band--) if (amount >= minimum * 2n ** BigInt(band)) return band
    for (let band = -1; band > -8; band--) if (amount * 2n ** BigInt(-band) >= minimum) return band
    return -8
  }
  const bands: Record<number, { holders: number; miners: number }> = {}
  const at = (band: number) => {
    bands[band] ??= { holders: 0, miners: 0 }
    return bands[band]
  }
  for (const amount of Object.values(holdings)) at(bandOf(amount)).holders++
  for (const publisher of publishers) at(bandOf(holdings[publisher] ?? 0n)).miners++
  return bands
}
