import { createSeededRandom } from '@hailstone/fault-injection'
import {
  closeMacroblock,
  createGenesis,
  createLedgerState,
  type Genesis,
  judgePublication,
  type LedgerState,
  toLedgerMacroblock,
} from '@hailstone/ledger'
import {
  type Address,
  type KeyBlock,
  type Microblock,
  microblockHash,
  publicationText,
  signText,
  type Token,
  type Transaction,
  toAmount,
  tokenOrder,
  transactionHash,
} from '@hailstone/protocol'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import { createFallbackMiner } from '../chain/fallback-miner.ts'
import { sealMacroblock } from '../chain/seal-macroblock.ts'
import { chooseClient, selectionWeight } from '../chain/selection.ts'
import { signPayment } from '../chain/sign-payment.ts'
import { openChainStore } from '../store/index.ts'
import { signOrder } from '../tokens/sign-order.ts'
import { agentOn, connectedPeople, type Moment } from './population-draw.ts'
import { createPayments, type Payments, type PopulationAccounts } from './population-payments.ts'
import {
  type DaySpan,
  type Person,
  type PopulationPlan,
  planPopulation,
  populationAccount,
} from './population-people.ts'

/** Size, seed and first day of a population. */
export type PopulationOptions = {
  /** Same seed, same accounts, people and chain. @default 'hailstone' */
  readonly seed?: string | undefined
  /** Unix seconds of the first midnight, UTC. @default 2026-01-05, a Monday */
  readonly startTime?: number | undefined
  /** @default 90 */
  readonly days?: number | undefined
  /** At most 24; a public network has 5760. @default 12 */
  readonly macroblocksPerDay?: number | undefined
  /** At least 40. @default 400 */
  readonly people?: number | undefined
  /** Called after each day that was played. */
  readonly onDay?: ((day: number) => void) | undefined
}

/** People, accounts and days of a population, and the token they mine. */
export type Population = PopulationPlan & {
  readonly token: Token
  readonly accounts: PopulationAccounts
  /** Unix seconds of day 0. */
  readonly startTime: number
  /** Days that are played. */
  readonly days: number
  /** Macroblocks of each day. */
  readonly macroblocksPerDay: number
  /** Days on which nobody reached the gateway. */
  readonly outage: DaySpan
  /** Days on which the owner could not pay the fees, so that every transfer of the token was rejected. */
  readonly ownerSpent: DaySpan
}

/** A population that was played. */
export type PlayedPopulation = {
  readonly population: Population
  /** For the option `load` of `startLocalNetwork`, and for `hailstone-network --load` as a file. */
  readonly dump: Uint8Array
  /** Of the open key block. */
  readonly height: number
  readonly counts: PopulationCounts
}

/** Numbers of a played chain. */
export type PopulationCounts = {
  /** In the token of the population; each macroblock has a native one besides. */
  microblocks: number
  /** Transactions that were confirmed. */
  confirmed: number
  /** Transactions that were rejected. */
  rejected: number
  /** Publications that the rules of acceptance refused. */
  refused: number
}

const MONDAY = Date.UTC(2026, 0, 5) / 1000
const SECONDS_PER_DAY = 86_400
const AGENTS = 12
/** Most microblocks of the token in one macroblock; the eighth place is the native one's. */
const MAX_MICROBLOCKS = 7
/** Connected people for each microblock. */
const PEOPLE_PER_MICROBLOCK = 6
const COIN = 10n ** 10n
/** Macroblocks before the first coin of the token moves. */
const FUND_OWNER = 0
const CREATE_TOKEN = 1
const FUND_TREASURY = 2

/** Native coins of the owner: the price of the token, and fees for longer than it keeps them. */
const OWNER_COINS = 1000n + 620n

const order = tokenOrder({
  symbol: 'SLEET',
  name: 'Token of the population',
  supply: 1_000_000n * COIN,
  fee: { kind: 'fixed', units: COIN / 10n },
  mining: {
    maxSupply: 1_250_000n * COIN,
    blockReward: 77n * COIN,
    minimumStake: 100n * COIN,
    referrerStake: 1000n * COIN,
    referralShareBps: 1000,
  },
})

function accountsOf(seed: string): PopulationAccounts {
  const named = (name: string) => populationAccount(seed, name)
  return {
    owner: named('owner'),
    treasury: named('treasury'),
    shop: named('shop'),
    exchange: named('exchange'),
  }
}

type Beginning = {
  readonly genesis: Genesis
  readonly accounts: PopulationAccounts
  readonly fundOwner: Transaction
  readonly createToken: Transaction
  readonly fundTreasury: Transaction
  readonly token: Token
}

/** The first payments, from which the token has its identifier. */
function begin(seed: string, startTime: number): Beginning {
  const genesis = createGenesis({ seed, time: startTime })
  const accounts = accountsOf(seed)
  const random = createSeededRandom(`token of the population of ${seed}`).next
  const { native } = genesis.tokens
  const { owner, treasury } = accounts
  const terms = {
    nativeToken: native,
    genesis: genesis.accounts.genesis.address,
    prices: genesis.parameters.ledger.contractPrices ?? {},
  }
  const pay = { from: genesis.accounts.faucet, to: owner.address, tokenId: native.id, random }
  const { transaction: fundOwner } = signPayment({ ...pay, amount: toAmount(OWNER_COINS * COIN) })
  const { transaction: createToken, hash } = signOrder({ from: owner, order, terms, random })
  if (order.type !== 'create_token') throw new Error('the order creates the token')
  const token: Token = { ...order.token, id: hash as string as Token['id'], owner: owner.address }
  const { transaction: fundTreasury } = signPayment({
    ...{ from: owner, to: treasury.address, tokenId: token.id, random },
    amount: toAmount(700_000n * COIN),
  })
  return { genesis, accounts, fundOwner, createToken, fundTreasury, token }
}

const kinds: SettingKinds<PopulationOptions> = {
  seed: 'string',
  startTime: 'number',
  days: 'number',
  macroblocksPerDay: 'number',
  people: 'number',
  onDay: 'function',
}

/**
 * Describes the population of a seed without playing it: accounts, people, campaigns and token are those of the chain
 * that {@link playPopulation} makes with the same options.
 */
export function describePopulation(options: Omit<PopulationOptions, 'onDay'> = {}): Population {
  assertKinds('of a population', options, kinds)
  const { seed = 'hailstone', startTime = MONDAY } = options
  const { days = 90, macroblocksPerDay = 12, people = 400 } = options
  const { token, accounts } = begin(seed, startTime)
  const plan = planPopulation(seed, { people, agents: AGENTS, days, firstWeekday: weekdayOf(startTime) })
  const [outageDay, spentDay] = [Math.floor(0.6 * days), Math.floor(0.7 * days)]
  return {
    ...plan,
    token,
    accounts,
    startTime,
    days,
    macroblocksPerDay,
    outage: { from: outageDay, to: outageDay + 1 },
    ownerSpent: { from: spentDay, to: spentDay + 2 },
  }
}

/**
 * Plays the days of a population through the rules of the ledger and of acceptance, with real signatures, into a chain
 * that a network begins with. The same options give the same blocks. Publishers are drawn by weight as the gateway draws
 * them; its sockets, slots and pauses are left out.
 */
export async function playPopulation(options: PopulationOptions = {}): Promise<PlayedPopulation> {
  const population = describePopulation(options)
  const { seed = 'hailstone' } = options
  const beginning = begin(seed, population.startTime)
  const { genesis } = beginning
  await using store = await openChainStore()
  await store.initialise(genesis)
  const ledger = createLedgerState(genesis.content)
  const random = createSeededRandom(`days of the population of ${seed}`).next
  const payments = createPayments({
    ...beginning,
    plan: population,
    ownerSpent: population.ownerSpent,
    ledger,
    random,
  })
  const round = createRound({ population, beginning, ledger, payments, random })
  const counts: PopulationCounts = { microblocks: 0, confirmed: 0, rejected: 0, refused: 0 }
  let keyBlock = genesis.origin
  for (let height = 0; height < population.days * population.macroblocksPerDay; height++) {
    const moment = momentOf(population, height)
    const { microblocks, refused } = round(keyBlock, moment)
    const sealed = sealMacroblock({
      keyBlock,
      microblocks,
      votingPoolId: genesis.parameters.votingPoolId,
      publisher: genesis.accounts.keyBlockPublisher.address,
      time: timeOf(population, height + 1),
      seed: genesis.parameters.seed,
    })
    const closed = closeMacroblock(ledger, toLedgerMacroblock(sealed.macroblock), genesis.parameters.ledger)
    await store.appendMacroblock({ ...sealed, closed })
    ledger.applyChanges(closed.changes)
    const confirmed = closed.report.confirmedCount
    counts.microblocks += microblocks.length - 1
    counts.confirmed += confirmed
    counts.rejected += closed.report.transactions.length - confirmed
    counts.refused += refused
    keyBlock = sealed.nextKeyBlock
    if ((height + 1) % population.macroblocksPerDay > 0) continue
    options.onDay?.(moment.day)
    // The database in memory never waits, and a signal would come after the last day.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (store.dump === null) throw new Error('a chain in memory can be copied')
  return { population, dump: await store.dump(), height: keyBlock.height, counts }
}

/** 0 is a Monday; Unix time began on a Thursday. */
const weekdayOf = (seconds: number): number => (Math.floor(seconds / SECONDS_PER_DAY) + 3) % 7

const timeOf = ({ startTime, macroblocksPerDay }: Population, height: number): number =>
  startTime + Math.floor((height * SECONDS_PER_DAY) / macroblocksPerDay)

function momentOf(population: Population, height: number): Moment & { readonly isNewDay: boolean } {
  const seconds = timeOf(population, height) - population.startTime
  const day = Math.floor(seconds / SECONDS_PER_DAY)
  return {
    day,
    weekday: (weekdayOf(population.startTime) + day) % 7,
    hour: Math.floor((seconds % SECONDS_PER_DAY) / 3600),
    isNewDay: height % population.macroblocksPerDay === 0,
  }
}

type Round = (
  keyBlock: KeyBlock,
  moment: Moment & { readonly isNewDay: boolean },
) => { readonly microblocks: readonly Microblock[]; readonly refused: number }

/** Returns the step that fills one macroblock: who is connected, what is paid, who signs. */
function createRound(parts: {
  readonly population: Population
  readonly beginning: Beginning
  readonly ledger: LedgerState
  readonly payments: Payments
  readonly random: () => number
}): Round {
  const { population, beginning, ledger, payments, random } = parts
  const { genesis, token } = beginning
  const nativeTokenId = genesis.tokens.native.id
  const { maximumNativeStake } = genesis.parameters.ledger
  const fallbackMiner = createFallbackMiner({ account: genesis.accounts.fallbackMiner, nativeTokenId })
  /** Refused publishers, who are cut off and try again on the next day. */
  const cutOff = new Set<Address>()
  const weightOf = ({ account }: Person): bigint =>
    selectionWeight({
      balance: ledger.balance(account.address, token.id) ?? 0n,
      token,
      nativeTokenId,
      maximumNativeStake,
    })

  function publishersAt(moment: Moment): readonly Person[] {
    const connected = connectedPeople(population.people, moment, random)
    const isOut = moment.day >= population.outage.from && moment.day < population.outage.to
    const clients = (isOut ? [] : connected)
      .filter(({ account }) => !cutOff.has(account.address))
      .map((person) => ({ person, weight: weightOf(person) }))
      .filter(({ weight }) => weight > 0n)
    const count = Math.min(MAX_MICROBLOCKS, Math.ceil(clients.length / PEOPLE_PER_MICROBLOCK))
    const drawn = Array.from({ length: count }, () => chooseClient(clients, random)?.person)
    return drawn.filter((person) => person !== undefined)
  }

  /** The answer of a person to its beacon, judged as the gateway judges it. */
  function publish(person: Person, keyBlock: KeyBlock, day: number, transactions: readonly Transaction[]) {
    const { account } = person
    const content = { keyBlockHash: keyBlock.hash, publisher: account.address, nonce: 1, transactions }
    const hash = microblockHash(content)
    const referralAgent = agentOn(person, day)
    const text = publicationText({ microblockHash: hash, referralAgent, tokenId: token.id })
    const signature = signText(text, account.privateKey)
    return judgePublication({
      data: {
        ...{ id: account.address, token: token.id, signature },
        ...{ keyBlockHash: keyBlock.hash, microblockHash: hash, referrer: referralAgent ?? undefined },
      },
      hasVersion: true,
      hailedAs: account.address,
      outstanding: { ...content, hash },
      stakes: {
        minimumStake: (tokenId) => ledger.token(tokenId as Token['id'])?.mining?.minimumStake,
        balance: ledger.balance,
      },
      isStored: () => false,
      // Each was signed a moment ago, by the same function as any other.
      isSigned: () => true,
    })
  }

  return (keyBlock, moment) => {
    if (moment.isNewDay) cutOff.clear()
    const paid = begunWith(beginning, keyBlock.height) ?? payments.of(moment)
    const publishers = publishersAt(moment)
    const portions = dealt(paid, { count: publishers.length + 1, filling: payments.filling })
    const [native = [], ...others] = portions
    const accepted: Microblock[] = []
    let leftOver = native
    let refused = 0
    for (const [at, person] of publishers.entries()) {
      const transactions = others[at] ?? []
      const judgement = publish(person, keyBlock, moment.day, transactions)
      if (judgement.verdict === 'accepted') {
        accepted.push(judgement.microblock)
        payments.noteMined(person.account.address)
        continue
      }
      refused++
      cutOff.add(person.account.address)
      leftOver = [...leftOver, ...transactions]
    }
    const entries = leftOver.map((transaction) => pendingEntry(transaction))
    return { microblocks: [fallbackMiner.publish(keyBlock, entries), ...accepted], refused }
  }
}

const pendingEntry = (transaction: Transaction) => ({
  ...{ transaction, hash: transactionHash(transaction), addedAtMs: 0 },
  ...{ isMineable: true, offeredCount: 1, lastOfferedAtMs: 0, lastOfferedIn: null, offeredBeforeIn: null },
})

function begunWith(beginning: Beginning, height: number): readonly Transaction[] | undefined {
  const steps: readonly (readonly [number, Transaction])[] = [
    [FUND_OWNER, beginning.fundOwner],
    [CREATE_TOKEN, beginning.createToken],
    [FUND_TREASURY, beginning.fundTreasury],
  ]
  const found = steps.find(([at]) => at === height)?.[1]
  return found === undefined ? undefined : [found]
}

/** Deals transactions to so many microblocks, each of which holds one at least. */
function dealt(
  transactions: readonly Transaction[],
  { count, filling }: { readonly count: number; readonly filling: () => Transaction },
): readonly (readonly Transaction[])[] {
  const missing = Array.from({ length: Math.max(0, count - transactions.length) }, filling)
  const all = [...transactions, ...missing]
  return Array.from({ length: count }, (_, at) => all.filter((_one, index) => index % count === at))
}
