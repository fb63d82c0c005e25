import { createSeededRandom } from '@hailstone/fault-injection'
import type { DevelopmentAccount } from '@hailstone/ledger'
import { type Address, addressOf, parsePrivateKey, sha256Hex } from '@hailstone/protocol'

/** Days from `from` on and before `to`, counted from 0. */
export type DaySpan = {
  /** First day, from 0, included. */
  readonly from: number
  /** Day that it ends before. */
  readonly to: number
}

/** One who mines, or tries to. */
export type Person = {
  readonly account: DevelopmentAccount
  /** Days on which it may be connected, in order. */
  readonly spells: readonly DaySpan[]
  /** Its referral agents, each with the first day on which it counts. Null stands for no agent. */
  readonly agents: readonly {
    /** Day from which the agent counts. */
    readonly fromDay: number
    readonly agent: Address | null
  }[]
  /** Coins that the partner gives it on its first day. */
  readonly stakeCoins: number
  /** Chance to be connected at the busiest hour of a weekday. */
  readonly presence: number
  /** Hours by which its day is shifted. */
  readonly zoneHours: number
  /** Coins that it keeps when it sends the rest away on its last day; null if it keeps all. */
  readonly leavesWithCoins: number | null
}

/** A campaign is a label on the address of an agent. */
export type Campaign = DaySpan & {
  /** Name that invitations of the campaign carry. */
  readonly name: string
  readonly agent: Address
}

/** People whose fate is fixed, each an example of one reason why no reward came. */
export type Fates = {
  /** Has less than the least stake from its first day on. */
  readonly belowStake: Address
  /** Mined, and sent its stake away in the middle. */
  readonly withdrew: Address
  /** Has the stake and never connects. */
  readonly silent: Address
  /** Came in the last hours. */
  readonly justCame: Address
  /** Has no coin of the token. */
  readonly noRow: Address
  /** Mines with an agent that has less than the referrer stake. */
  readonly agentBelow: Address
  /** Mines with an agent that has no coin of the token. */
  readonly agentWithoutRow: Address
  /** Took another agent in the middle. */
  readonly agentChanged: Address
}

/** People, agents and campaigns of a population; all of it follows from the seed. */
export type PopulationPlan = {
  readonly people: readonly Person[]
  /** The first of the people. All but the last two have the referrer stake; the last one has no coin. */
  readonly agents: readonly Address[]
  readonly campaigns: readonly Campaign[]
  readonly fates: Fates
}

export type PopulationSize = {
  readonly people: number
  readonly agents: number
  readonly days: number
  /** 0 is a Monday. */
  readonly firstWeekday: number
}

/** Part of the days at which each campaign begins and ends. */
const CAMPAIGNS = [
  { name: 'Spring letter', from: 0.14, to: 0.24 },
  { name: 'Podcast', from: 0.42, to: 0.52 },
  { name: 'Conference', from: 0.7, to: 0.8 },
] as const

/** Part of the people who are there on the first day. */
const FOUNDERS = 0.2
/** Joins on a day of a campaign for one on another day. */
const CAMPAIGN_PULL = 3
const FATES = 8

export const populationAccount = (seed: string, name: string): DevelopmentAccount => {
  const privateKey = parsePrivateKey(sha256Hex(`hailstone population ${name} of ${seed}`))
  return { name, address: addressOf(privateKey), privateKey }
}

/** Returns 1 on weekdays and less at the end of a week. @param weekday 0 is a Monday */
export const weekdayFactor = (weekday: number): number => [1, 1, 1, 1, 0.95, 0.7, 0.6][weekday % 7] ?? 1

/** Returns the people of a seed. The same seed and size give the same people. */
export function planPopulation(seed: string, size: PopulationSize): PopulationPlan {
  const { people: count, agents: agentCount, days } = size
  const random = createSeededRandom(`population of ${seed}`)
  const accounts = Array.from({ length: count }, (_, at) => populationAccount(seed, `miner ${at + 1}`))
  const agents = accounts.slice(0, agentCount).map(({ address }) => address)
  const campaigns = CAMPAIGNS.map(({ name, from, to }, at): Campaign => {
    const span = { from: Math.floor(from * days), to: Math.floor(to * days) }
    return { name, ...span, agent: agents[at] as Address }
  })
  const drawDay = joinDays(random.next, campaigns, size)
  const ordinary = accounts.map((account, at): Person => {
    if (at < agentCount) return agentPerson(account, at, agents, days)
    const isFounder = at < agentCount + FOUNDERS * count
    return ordinaryPerson(account, { random, days, agents, campaigns, day: isFounder ? 0 : drawDay() })
  })
  const { people, fates } = withFates(ordinary, agents, days)
  return { people, agents, campaigns, fates }
}

type Draw = {
  readonly random: ReturnType<typeof createSeededRandom>
  readonly days: number
  readonly agents: readonly Address[]
  readonly campaigns: readonly Campaign[]
  readonly day: number
}

/** Returns a function that draws the day on which somebody comes. */
function joinDays(
  random: () => number,
  campaigns: readonly Campaign[],
  { days, firstWeekday }: PopulationSize,
): () => number {
  const weights = Array.from({ length: days }, (_, day) => {
    const isPulled = campaigns.some(({ from, to }) => day >= from && day < to)
    return weekdayFactor(day + firstWeekday) * (isPulled ? CAMPAIGN_PULL : 1)
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return () => {
    let rest = random() * total
    const found = weights.findIndex((weight) => {
      rest -= weight
      return rest < 0
    })
    return Math.max(0, found)
  }
}

/**
 * An agent is there all the time and mines too; those of later agents form a tree. The one below the stake of an agent
 * does not mine, since it would grow beyond it.
 */
function agentPerson(
  account: DevelopmentAccount,
  at: number,
  agents: readonly Address[],
  days: number,
): Person {
  const isBelow = at === agents.length - 2
  const isWithoutRow = at === agents.length - 1
  return {
    account,
    spells: [{ from: 0, to: days }],
    agents: [{ fromDay: 0, agent: at < CAMPAIGNS.length ? null : (agents[at - CAMPAIGNS.length] ?? null) }],
    stakeCoins: isWithoutRow ? 0 : isBelow ? 400 : 1500 + 250 * at,
    presence: isWithoutRow || isBelow ? 0 : 0.6,
    zoneHours: at,
    leavesWithCoins: null,
  }
}

function ordinaryPerson(account: DevelopmentAccount, draw: Draw): Person {
  const { random, days, day } = draw
  const spells = drawSpells(draw)
  const leaves = (spells.at(-1)?.to ?? days) < days && random.next() < 0.4
  return {
    account,
    spells,
    agents: [{ fromDay: day, agent: drawAgent(draw) }],
    stakeCoins: drawStake(random.next),
    presence: 0.35 + 0.6 * random.next(),
    zoneHours: random.integer(0, 8),
    leavesWithCoins: leaves ? random.integer(0, 90) : null,
  }
}

/** A quarter stays; the others leave after three weeks on average, and a quarter of those comes back. */
function drawSpells({ random, days, day }: Draw): readonly DaySpan[] {
  if (random.next() < 0.25) return [{ from: day, to: days }]
  const length = () => 1 + Math.floor(-Math.log(1 - random.next()) * 21)
  const first = { from: day, to: Math.min(days, day + length()) }
  const back = first.to + random.integer(8, 30)
  if (random.next() < 0.75 || back >= days) return [first]
  return [first, { from: back, to: Math.min(days, back + length()) }]
}

function drawAgent({ random, agents, campaigns, day }: Draw): Address | null {
  const campaign = campaigns.find(({ from, to }) => day >= from && day < to)
  if (campaign !== undefined && random.next() < 0.6) return campaign.agent
  if (random.next() < 0.5) return null
  const others = agents.slice(campaigns.length)
  // The first ones bring more people than the last ones.
  return others[Math.floor(others.length * random.next() ** 2)] ?? null
}

/** Most have a few hundred coins, some just the least stake, a few very many. */
function drawStake(random: () => number): number {
  const kind = random()
  if (kind < 0.08) return 100 + Math.floor(5 * random())
  if (kind > 0.985) return 5000 + Math.floor(10_000 * random())
  return 110 + Math.floor(-Math.log(1 - random()) * 350)
}

/** Gives the last people the fates that the explanations need. */
function withFates(
  people: readonly Person[],
  agents: readonly Address[],
  days: number,
): Pick<PopulationPlan, 'people' | 'fates'> {
  const middle = Math.floor(days / 2)
  const [agentBelow = null, agentWithoutRow = null] = agents.slice(-2)
  const common = { presence: 0.9, zoneHours: 0, leavesWithCoins: null, stakeCoins: 150 }
  const from = (day: number) => [{ from: day, to: days }]
  const without = [{ fromDay: 0, agent: null }]
  const fated: { readonly [Name in keyof Fates]: Omit<Person, 'account'> } = {
    belowStake: { ...common, spells: from(Math.floor(days / 4)), agents: without, stakeCoins: 60 },
    withdrew: {
      ...common,
      spells: [{ from: 1, to: middle }],
      agents: without,
      leavesWithCoins: 40,
      stakeCoins: 600,
    },
    silent: { ...common, spells: from(Math.floor(days / 3)), agents: without, presence: 0 },
    justCame: { ...common, spells: from(days - 1), agents: without, presence: 0.05 },
    noRow: { ...common, spells: from(middle), agents: without, stakeCoins: 0 },
    agentBelow: { ...common, spells: from(2), agents: [{ fromDay: 0, agent: agentBelow }] },
    agentWithoutRow: { ...common, spells: from(2), agents: [{ fromDay: 0, agent: agentWithoutRow }] },
    agentChanged: {
      ...common,
      spells: from(2),
      agents: [
        { fromDay: 0, agent: agents[4] ?? null },
        { fromDay: middle, agent: agents[5] ?? null },
      ],
    },
  }
  const names = Object.keys(fated) as (keyof Fates)[]
  const kept = people.slice(0, -FATES)
  const last = people.slice(-FATES).map(({ account }, at): Person => {
    const name = names[at] as keyof Fates
    return { account, ...fated[name] }
  })
  const fates = Object.fromEntries(names.map((name, at) => [name, last[at]?.account.address]))
  return { people: [...kept, ...last], fates: fates as Fates }
}
