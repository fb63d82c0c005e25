import type { Mutation } from '../mutation.ts'
import { createMiningNode, type HealthWatch, type MiningNode, nodeMetrics, watchNodeHealth } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { friend, miner, nativeTokenId, verify } from '../world/accounts.ts'
import { createGateways, type Gateways } from '../world/gateways.ts'
import { type BalanceBook, createBalanceBook } from './balance-book.ts'
import { playFaults } from './faults-and-rest.ts'
import { createEarned, createFigures, createInclusions, createStandstill } from './honest-figures.ts'
import { createLives, type Given, type KeptBook, type Started } from './lives.ts'
import { onceOfEachKind } from './once-of-each-kind.ts'
import { createToldBook } from './told-book.ts'
import { drawWatchPlot, type WatchPlot } from './watch-plot.ts'
import { createWatchedWorld, type WatchedWorld } from './watched-world.ts'

/** A run of the scenario. */
type Stage = {
  readonly run: Run
  readonly mutation: Mutation
  readonly plot: WatchPlot
  readonly world: WatchedWorld
  readonly gateways: Gateways
  readonly kept: KeptBook
  readonly balance: BalanceBook
  readonly isTokenChosen: boolean
  readonly looking: { current: Looking | null }
  /** Reports each kind of violation once. */
  readonly violate: (kind: string, what: string) => void
}

/** What is looked at of a node that runs. */
type Looking = {
  readonly program: Program
  readonly node: MiningNode
  readonly health: HealthWatch
  readonly figures: ReturnType<typeof createFigures>
  readonly earned: ReturnType<typeof createEarned>
  readonly inclusions: ReturnType<typeof createInclusions>
}

const LOOK_MS = 15_000
const BLOCK_MS = 15_000

/**
 * A miner mines and watches its account through an address behind which nodes of one chain are some macroblocks apart.
 * Its events tell every reward once, its snapshot and metrics are never less than nothing, its health does not call an
 * API that stands still ready, and no single word of a node or gateway ends it.
 */
export async function earning(run: Run, mutation: Mutation): Promise<void> {
  const stage = await createStage(run, mutation)
  const { plot, world, gateways, kept, balance, looking } = stage
  const { chain } = world
  const lives = createLives({
    ...{ run, mutation, plot, world, books: [kept] },
    start: (given) => mine(stage, given),
  })
  const watching = lookAgainAndAgain(stage)
  const { book } = kept
  // After a hundred macroblocks at once the older ones are passed over.
  const notIncluded = (): readonly string[] =>
    plot.behindAtFirst === 0 ? (looking.current?.inclusions.lacking(chain) ?? []) : []
  await playFaults(
    {
      run,
      plot: { ...plot, endsWith: 'nothing' },
      world,
      lives,
      onCalm: gateways.calm,
      onSettle: gateways.stop,
    },
    {
      late: (untilMs) => [...book.missing(chain, untilMs), ...notMining(looking.current)],
      isComplete: () => balance.isComplete(chain) && book.isComplete(chain) && notIncluded().length === 0,
      judge: () => {
        book.judge(chain)
        balance.judge(chain)
        const lacking = notIncluded()
        if (lacking.length > 0) run.violate('I5', `included: lost: ${lacking.length}, first ${lacking[0]}`)
        watching.end()
      },
    },
  )
  if (lives.shelf.everything().includes(miner.canary)) run.violate('I3', 'the key is in a cursor')
}

async function createStage(run: Run, mutation: Mutation): Promise<Stage> {
  const { chance } = run
  const drawn = drawWatchPlot(run)
  const plot = { ...drawn, backlog: Math.min(drawn.backlog, 20) }
  run.note('plot', JSON.stringify(plot))
  const balance = createBalanceBook(run, { isMixed: plot.routing === 'random' })
  const world = await createWatchedWorld(run, plot, {
    onClosed: balance.closed,
    inspect: ({ method, path, query = '' }) => {
      if (method === 'POST') run.violate('I1', `a miner posts to ${path}`)
      if (query.includes(miner.canary)) run.violate('I3', 'the key is in a request')
    },
  })
  const book = createToldBook({
    ...{ run, name: 'node', lines: world.lines, chain: world.chain, isFromNow: true },
    shownHeight: world.balancer.shownHeight,
    isMeant: ({ address }) => address === miner.address,
  })
  return {
    ...{ run, mutation, plot, world, balance },
    gateways: createGateways(run, world.chain),
    kept: { name: 'node', book, isOf: (cursor) => cursor.startsWith('rewards') },
    isTokenChosen: chance.is(0.5),
    looking: { current: null },
    violate: onceOfEachKind(run),
  }
}

function notMining(looking: Looking | null): readonly string[] {
  const { status, why } = looking?.node.state ?? {}
  return status === 'mining' || status === 'waitingForBeacon' ? [] : [`it does not mine: ${status}, ${why}`]
}

function mine(stage: Stage, { program, client, store, heard }: Given): Started {
  const { run, mutation, world, gateways, kept, balance, isTokenChosen, looking } = stage
  const { chance } = run
  const { clock } = program
  const open = gateways.openChannelOf(program)
  const node = createMiningNode({
    ...{ wallet: miner.wallet, client, clock, cursors: store, gatewayUrls: gateways.urls },
    randomness: chance.next,
    openChannel: mutation.openChannel?.(open, program, run) ?? open,
    verify: mutation.verify ?? verify,
    referralAgent: friend.address,
    tokenId: isTokenChosen ? nativeTokenId : undefined,
  })
  node.on('rewarded', heard(kept.book.rewarded, 'rewarded'))
  node.on('referralRewarded', heard(kept.book.rewarded, 'rewarded'))
  node.on('reverted', heard(kept.book.reverted, 'reverted'))
  if (!isTokenChosen) node.once('heightChanged', kept.book.couldBegin)
  node.on('balanceChanged', (told) => balance.changed(told, world.forks()))
  node.on('stopped', ({ reason }) => {
    run.note(program.name, `stopped: ${reason}`)
    if (!program.isOver() && reason !== 'requested')
      run.violate('I4', `mining: it stops without a lasting cause: ${reason}`)
  })
  node.on('failed', ({ error }) => run.note(program.name, `${error.code} ${JSON.stringify(error.facts)}`))
  node.subscribe(() => judgeSnapshot(stage, program, node))
  const health = watchNodeHealth({ node, windowMs: BLOCK_MS, clock })
  const earned = createEarned(run, node)
  const inclusions = createInclusions(node)
  looking.current = { program, node, health, earned, inclusions, figures: createFigures(run) }
  void node.start()
  return {
    stop: async () => {
      looking.current = null
      health.stop()
      await node.close()
    },
  }
}

function judgeSnapshot({ run, mutation, violate }: Stage, program: Program, node: MiningNode): void {
  if (program.isOver()) return
  const { rewards, publications } = mutation.supervision?.(node.snapshot()) ?? node.snapshot()
  const isLess = rewards.some(({ own, referral, count }) => own < 0n || referral < 0n || count < 0)
  if (isLess) violate('snapshot', 'less than nothing was earned')
  const { published, included } = publications
  if (included < 0 || included > published)
    run.violate('I5', `snapshot: ${included} are included of ${published}`)
}

/** Reads health and metrics as somebody does who supervises the program. */
function lookAgainAndAgain({ run, mutation, world, looking, violate }: Stage): { readonly end: () => void } {
  const { time } = run
  const standstill = createStandstill(run, world)
  let isOver = false

  function look(): void {
    if (isOver) return
    const { program, node, health, figures, earned } = looking.current ?? {}
    const isStill = standstill.isTooLong(program?.runsSinceMs())
    if (program !== undefined && node && health && figures && !program.isOver() && !program.isFrozen()) {
      const read = health.read()
      const { isReady } = mutation.supervision?.(read) ?? read
      if (isReady && isStill && time.now() - program.runsSinceMs() > 2 * BLOCK_MS)
        violate('health', `${read.code} while the API stands still and the chain goes on`)
      const [snapshot, uptimeMs] = [node.snapshot(), health.uptimeMs()]
      const shown = { figures: nodeMetrics({ snapshot, health: read, uptimeMs }) }
      earned?.look()
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
