import type { Hash, NodeError } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import {
  createFleet,
  type Fleet,
  type FleetEvent,
  fleetMetrics,
  type Watch,
  watchFleetRewards,
} from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { friend, miner, nativeTokenId } from '../world/accounts.ts'
import { createGateways, type Gateways } from '../world/gateways.ts'
import { type BalanceBook, createBalanceBook } from './balance-book.ts'
import { judgeDamage, playFaults } from './faults-and-rest.ts'
import { createFigures, createStandstill } from './honest-figures.ts'
import { createLives, type Given, type KeptBook, type Started } from './lives.ts'
import { onceOfEachKind } from './once-of-each-kind.ts'
import { createToldBook } from './told-book.ts'
import { createToldIds } from './told-ids.ts'
import { drawWatchPlot, type WatchPlot } from './watch-plot.ts'
import { createWatchedWorld, type WatchedWorld } from './watched-world.ts'

/** What the program does in a run. */
type Work = 'fleet' | 'webhooks' | 'both'

/** A run of the scenario. */
type Stage = {
  readonly run: Run
  readonly mutation: Mutation
  readonly plot: WatchPlot
  readonly work: Work
  readonly world: WatchedWorld
  readonly gateways: Gateways
  readonly books: { readonly fleet: KeptBook; readonly webhooks: KeptBook }
  readonly ids: ReturnType<typeof createToldIds>
  readonly balance: BalanceBook
  readonly isTokenChosen: boolean
  readonly reported: NodeError[]
  readonly looking: { current: Looking | null }
  /** Reports each kind of violation once. */
  readonly violate: (kind: string, what: string) => void
}

/** A fleet that runs, and its figures. */
type Looking = {
  readonly program: Program
  readonly fleet: Fleet
  readonly figures: ReturnType<typeof createFigures>
  readonly begunAtMs: number
}

const ACCOUNTS = [miner, friend] as const
const LOOK_MS = 15_000
const BLOCK_MS = 15_000
const CURSOR = 'fleet'
/** Macroblocks that a watch of a fleet remembers, each in a text of its own. */
const MACROBLOCKS_KEPT = 256

/**
 * A fleet mines, and the rewards of its accounts are handed to webhooks from run to run, through an address behind
 * which nodes of one chain are some macroblocks apart. Every reward is told once, under one id, and no single word of
 * a node or gateway ends the fleet.
 */
export async function fleets(run: Run, mutation: Mutation): Promise<void> {
  run.time.waitsForTurns = true
  const stage = await createStage(run, mutation)
  const { plot, work, world, gateways, balance, looking, reported } = stage
  const { chain } = world
  const { fleet, webhooks } = stage.books
  const books = [...(work === 'webhooks' ? [] : [fleet]), ...(work === 'fleet' ? [] : [webhooks])]
  const lives = createLives({
    ...{ run, mutation, plot, world, books },
    start: (given) => begin(stage, given),
  })
  const watching = lookAgainAndAgain(stage)
  const isBalanceTold = (): boolean => work === 'webhooks' || balance.isComplete(chain)
  const playing = { run, plot, world, lives, onCalm: gateways.calm, onSettle: gateways.stop }
  await playFaults(playing, {
    late: (untilMs) => [
      ...books.flatMap(({ name, book }) => book.missing(chain, untilMs).map((what) => `${name}: ${what}`)),
      ...notMining(looking.current),
    ],
    isComplete: () => isBalanceTold() && books.every(({ book }) => book.isComplete(chain)),
    judge: () => {
      for (const { book } of books) book.judge(chain)
      if (work !== 'webhooks') balance.judge(chain)
      watching.end()
    },
  })
  if (work !== 'fleet') await judgeDamage(playing, { books: [webhooks], reported })
  world.producer.stop()
  if (lives.shelf.everything().includes(miner.canary)) run.violate('I3', 'the key is in a cursor')
}

async function createStage(run: Run, mutation: Mutation): Promise<Stage> {
  const { chance } = run
  const drawn = drawWatchPlot(run)
  const plot = { ...drawn, backlog: Math.min(drawn.backlog, 20) }
  const work = chance.pick<Work>(['fleet', 'webhooks', 'both'])
  run.note('plot', `${work} ${JSON.stringify(plot)}`)
  const balance = createBalanceBook(run, { isMixed: plot.routing === 'random' })
  const world = await createWatchedWorld(run, plot, {
    onClosed: balance.closed,
    inspect: ({ method, path, query = '' }) => {
      if (method === 'POST') run.violate('I1', `a miner posts to ${path}`)
      if (query.includes(miner.canary)) run.violate('I3', 'the key is in a request')
    },
  })
  const bookOf = (name: string, isOf: KeptBook['isOf']): KeptBook => {
    const isMeant = ({ address }: { readonly address: string }): boolean =>
      ACCOUNTS.some((one) => one.address === address)
    const { lines, chain, balancer } = world
    const { shownHeight } = balancer
    const book = createToldBook({ run, name, lines, chain, shownHeight, isMeant, isFromNow: true })
    const partOf = (height: number): string => `${CURSOR}-${(height - 1) % MACROBLOCKS_KEPT}`
    return { name, isOf, book, partOf, isToldWhole: true }
  }
  // A fleet keeps nothing from run to run.
  const books = {
    fleet: bookOf('fleet', () => false),
    webhooks: bookOf('webhooks', (cursor) => cursor === CURSOR),
  }
  return {
    ...{ run, mutation, plot, work, world, books, balance },
    gateways: createGateways(run, world.chain),
    ids: createToldIds(run, books.webhooks.book, world.forks),
    isTokenChosen: chance.is(0.5),
    reported: [],
    looking: { current: null },
    violate: onceOfEachKind(run),
  }
}

function notMining(looking: Looking | null): readonly string[] {
  if (looking === null) return []
  const { nodes, why } = looking.fleet.health()
  const isMining = nodes.mining + nodes.waitingForBeacon === ACCOUNTS.length
  return isMining ? [] : [`the fleet does not mine: ${why} ${JSON.stringify(nodes)}`]
}

function begin(stage: Stage, given: Given): Started {
  const { work, looking } = stage
  let openKeyBlock: Hash | undefined
  const watch = work === 'fleet' ? null : handOut(stage, given, () => openKeyBlock)
  const fleet = work === 'webhooks' ? null : mine(stage, given)
  fleet?.subscribe((event) => {
    if (event.type === 'published') openKeyBlock ??= event.keyBlockHash
  })
  return {
    stop: async () => {
      looking.current = null
      await Promise.all([watch?.stop(), fleet?.stop()])
    },
  }
}

function handOut(
  { run, plot, ids, reported }: Stage,
  { program, client, store, listener }: Given,
  openKeyBlock: () => Hash | undefined,
): Watch {
  ids.begins()
  return watchFleetRewards({
    ...{ client, pollIntervalMs: plot.pollIntervalMs, cursor: { store, name: CURSOR } },
    isOurs: (account) => ACCOUNTS.some(({ address }) => address === account),
    areAccountsKnown: () => true,
    openKeyBlock,
    onReward: listener(ids.rewarded, 'rewarded'),
    onReverted: listener(ids.reverted, 'reverted'),
    onError: (error) => {
      run.note(program.name, `webhooks: ${error.code} ${JSON.stringify(error.facts)}`)
      reported.push(error)
    },
  })
}

function mine(stage: Stage, { program, client, heard }: Given): Fleet {
  const { run, mutation, world, plot, gateways, books, balance, isTokenChosen, looking } = stage
  const { clock } = program
  const open = gateways.openChannelOf(program)
  const fleet = createFleet({
    ...{ wallets: ACCOUNTS.map(({ wallet }) => wallet), client, clock, gatewayUrl: gateways.urls },
    randomness: run.chance.next,
    openChannel: mutation.openChannel?.(open, program, run) ?? open,
    tokenId: isTokenChosen ? nativeTokenId : undefined,
    pollIntervalMs: plot.pollIntervalMs,
  })
  const { book } = books.fleet
  const [rewarded, reverted] = [heard(book.rewarded, 'rewarded'), heard(book.reverted, 'reverted')]
  let hasBegun = false
  fleet.subscribe((event: FleetEvent) => {
    if (program.isOver()) return
    switch (event.type) {
      case 'rewarded':
      case 'referralRewarded':
        return rewarded(event)
      case 'reverted':
        return reverted(event)
      case 'balanceChanged':
        if (event.address === miner.address) balance.changed(event, world.forks())
        return
      case 'heightChanged':
        if (!hasBegun && !isTokenChosen) book.couldBegin()
        hasBegun = true
        return
      case 'stopped':
        run.note(program.name, `${event.address.slice(0, 8)} stopped: ${event.reason}`)
        if (event.reason !== 'requested')
          run.violate('I4', `fleet: a node stops without a lasting cause: ${event.reason}`)
        return
      case 'failed':
        run.note(program.name, `fleet: ${event.error.code} ${JSON.stringify(event.error.facts)}`)
    }
  })
  looking.current = { program, fleet, figures: createFigures(run), begunAtMs: run.time.now() }
  void fleet.start()
  return fleet
}

/** Reads health and metrics as somebody does who supervises the program. */
function lookAgainAndAgain({ run, mutation, world, looking, violate }: Stage): { readonly end: () => void } {
  const { time } = run
  const standstill = createStandstill(run, world)
  let isOver = false

  function look(): void {
    if (isOver) return
    const { program, fleet, figures, begunAtMs = 0 } = looking.current ?? {}
    const isStill = standstill.isTooLong(program?.runsSinceMs())
    if (program !== undefined && fleet && figures && !program.isOver() && !program.isFrozen()) {
      const health = fleet.health()
      const { isReady } = mutation.supervision?.(health) ?? health
      if (isReady && isStill && time.now() - program.runsSinceMs() > 2 * BLOCK_MS)
        violate('health', `${health.code} while the API stands still and the chain goes on`)
      const isLess = health.accounts?.rewards.some(({ own, referral }) => own < 0n || referral < 0n)
      if (isLess === true) violate('fleet', 'less than nothing was earned')
      const shown = { figures: fleetMetrics(health, time.now() - begunAtMs) }
      figures.look((mutation.supervision?.(shown) ?? shown).figures)
    }
    time.after(LOOK_MS, look)
  }
  time.after(LOOK_MS, look)
  return {
    end: () => {
      isOver = true
    },
  }
}
