import { DUPLICATE_KEY, type Hash, parseClientMessage, WRONG_VERSION } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import { createMiningNode, type MiningNode, type OpenChannel } from '../real.ts'
import { type Program, startProgram } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { miner, verify } from '../world/accounts.ts'
import type { ApiNodes } from '../world/api-nodes.ts'
import { type Publishers, startProducer } from '../world/producer.ts'
import { SimulatedChain } from '../world/simulated-chain.ts'
import { SimulatedDisk } from '../world/simulated-disk.ts'
import {
  FINE,
  type LinkWatcher,
  type SimulatedGateway,
  type SimulatedLink,
  startGateway,
} from '../world/simulated-gateway.ts'

const CALM_AT_MS = 300_000
/** A key that was contested repeatedly is left alone for a quarter of an hour. */
const END_MS = CALM_AT_MS + 2_400_000
const MAX_EVENTS = 60_000
/** Limit of G-7 plus the time that closing may take, in ms. */
const MAX_DUMB_MS = 26_000
const ANSWERED_WITHIN_MS = 100
/** Eight macroblocks of others at their shortest, in ms. */
const MIN_SILENT_MS = 36_000

/**
 * A program mines while it is killed, frozen and restarted, at gateways that refuse, hang, cut, contest, redirect and
 * lie. Every valid offer that arrives is published once; nothing else is ever signed.
 */
export const sessions = (run: Run, mutation: Mutation): Promise<void> => playSessions(run, mutation)

/** Optional environment of a mining program: API nodes and other miners. */
export type MiningEnvironment = {
  readonly publishers: Publishers
  readonly onClosed: (block: SimulatedChain['blocks'][number]) => void
  readonly nodesOf: (chain: SimulatedChain) => ApiNodes
  readonly looksAt: (node: MiningNode, program: Program) => void
}

export async function playSessions(
  run: Run,
  mutation: Mutation,
  environment?: MiningEnvironment,
): Promise<void> {
  const { chance, time } = run
  const chain = new SimulatedChain({ now: time.now, onClosed: environment?.onClosed })
  const disk = new SimulatedDisk(run)
  const producer = startProducer(run, chain, environment?.publishers)
  const nodes = environment?.nodesOf(chain)
  const log = createFrameLog(run)
  const gateways: SimulatedGateway[] = []
  for (let number = 0; number < chance.pick([1, 1, 2, 3]); number++) {
    gateways.push(startGateway({ run, chain, number, others: () => gateways, watcher: log.watcher }))
  }
  const some = (most: number): number => (chance.is(0.4) ? chance.next() * most : 0)
  for (const gateway of gateways) {
    gateway.faultRates = {
      refuses: some(0.5),
      hangs: some(0.3),
      answersInHttp: some(0.1),
      hostile: some(0.6),
      cuts: some(0.2),
      goesDumb: some(0.1),
      redirects: some(0.1),
      contests: some(0.05),
      wrongVersion: chance.is(0.05) ? 0.02 : 0,
    }
  }
  const onDuplicateKey = chance.pick(['stop', 'wait'] as const)
  let isCalm = false
  let isEnding = false
  let lives = 0
  let current: { readonly program: Program; readonly node: MiningNode } | null = null

  function disturb(): void {
    if (isCalm) return
    const gateway = chance.pick(gateways as [SimulatedGateway])
    gateway.isAway = !gateway.isAway
    run.fault('faults', `${gateway.url} ${gateway.isAway ? 'away' : 'back'}`)
    time.after(chance.ms(5_000, 90_000), disturb)
  }
  time.after(chance.ms(0, 60_000), disturb)
  time.after(CALM_AT_MS, () => {
    isCalm = true
    for (const gateway of gateways) Object.assign(gateway, { faultRates: FINE, isAway: false })
    nodes?.calm()
    run.note('faults', 'calm')
  })

  const openChannelOf =
    (program: Program): OpenChannel =>
    ({ url, handlers }) => {
      log.opens(program, url)
      const gateway = gateways.find((one) => one.url === url)
      if (gateway !== undefined) return gateway.open(program, handlers)
      time.after(chance.ms(1, 50), () => program.deliver(() => handlers.failed('ENOTFOUND')))
      const unopened = (): never => {
        throw new Error('the socket is not open')
      }
      return { send: unopened, close: () => undefined, terminate: () => undefined }
    }

  function live(): void {
    const program = startProgram(run, `miner.${++lives}`)
    const openChannel = mutation.openChannel?.(openChannelOf(program), program, run) ?? openChannelOf(program)
    const node = createMiningNode({
      wallet: miner.wallet,
      client: nodes?.clientOf(program),
      gatewayUrls: gateways.map(({ url }) => url),
      onDuplicateKey,
      clock: program.clock,
      randomness: chance.next,
      openChannel,
      verify: mutation.verify ?? verify,
      cursors: disk.cursorsOf(program),
    })
    log.begins()
    environment?.looksAt(node, program)
    node.on('disconnected', ({ reason, delayMs }) => {
      run.note(program.name, `disconnected: ${reason.kind}, ${delayMs.toFixed(3)} ms`)
      if (reason.kind === 'gatewaySilent' && log.heardBeaconMsAgo() < MIN_SILENT_MS)
        run.violate('I4', `a gateway is called silent ${log.heardBeaconMsAgo()} ms after its last beacon`)
    })
    node.on('stopped', ({ reason }) => {
      run.note(program.name, `stopped: ${reason}`)
      if (program.isOver() || log.mayStop(reason)) return
      run.violate('I4', `it stopped for a reason that nobody gave: ${reason}`)
    })
    node.on('failed', ({ error }) => {
      if (error.code === 'LISTENER_FAILED') run.violate('I4', `a listener of ours fails: ${error.message}`)
    })
    current = { program, node }
    void node.start()
    if (isCalm) return
    if (chance.is(0.4)) {
      time.after(chance.ms(0, 200_000), () => {
        if (program.isOver() || isCalm) return
        program.kill('by time')
        time.after(chance.ms(100, 30_000), live)
      })
    }
    if (chance.is(0.3)) {
      time.after(chance.ms(0, 200_000), () => isCalm || program.freeze(chance.ms(100, 120_000)))
    }
    if (chance.is(0.2)) {
      time.after(chance.ms(0, 200_000), () => program.shiftWallClock(chance.pick([-3.6e6, 3.6e6, 3.2e10])))
    }
    if (chance.is(0.2)) time.after(chance.ms(0, 200_000), () => void pauseMining(program, node))
  }

  async function pauseMining(program: Program, node: MiningNode): Promise<void> {
    if (program.isOver()) return
    run.note(program.name, 'is stopped and started by its owner')
    await node.stop()
    if (!program.isOver() && !isEnding) await node.start()
  }

  /** Restarts a session that stopped for good, once faults have ended. */
  function startAgain(): void {
    const { program, node } = current ?? {}
    if (node?.state.status === 'stopped' && program?.isOver() === false) void node.start()
    if (isCalm) log.expectPublication()
    else time.after(10_000, startAgain)
  }
  time.after(CALM_AT_MS + 1_000, startAgain)

  live()
  const isAwake = (): boolean => current !== null && !current.program.isFrozen() && !current.program.isOver()
  const isDone = (): boolean => isCalm && isAwake() && time.now() > CALM_AT_MS + 30_000 && log.hasPublished()
  const end = await time.run({ untilMs: END_MS, isDone, maxEvents: MAX_EVENTS })
  if (end === 'endless') run.violate('I4', 'it does not come to rest')
  const ending = current as { readonly program: Program; readonly node: MiningNode } | null
  if (end === 'late') {
    const state = ending?.node.state
    run.violate('I4', `it does not mine 40 minutes after the last fault: ${state?.status}, ${state?.why}`)
  }
  if (ending !== null) {
    const { published } = ending.node.snapshot().publications
    let isClosed = false
    isEnding = true
    void ending.node.close().then(() => {
      isClosed = true
    })
    await time.run({ untilMs: time.now() + 5_000, isDone: () => isClosed, maxEvents: MAX_EVENTS })
    if (!isClosed) run.violate('I4', 'it does not close')
    if (ending.program.timers() > 0)
      run.violate('I4', `${ending.program.timers()} timers are left after close`)
    if (published > log.publishedInLife())
      run.violate('I5', `${published} publications are claimed, ${log.publishedInLife()} left`)
  }
  producer.stop()
  for (const gateway of gateways) gateway.stop()
  if (disk.everything().includes(miner.canary)) run.violate('I3', 'the key is on the disk')
}

/** Records and checks every frame. */
function createFrameLog(run: Run) {
  const { time } = run
  const sound = new Set<Hash>()
  const texts = new Map<string, string>()
  const hailed = new Set<SimulatedLink>()
  const answered = new Map<SimulatedLink, Set<string>>()
  const opens: number[] = []
  const reported = new Set<string>()
  /** Number of frames since the last beacon of a link. */
  const frames = new Map<SimulatedLink, number>()
  let timesInLife = new Map<string, number>()
  let publishedInLife = 0
  let beaconAtMs = Number.NEGATIVE_INFINITY
  let publishedAtMs = Number.NEGATIVE_INFINITY
  let expectedSinceMs = Number.POSITIVE_INFINITY

  function sent(link: SimulatedLink, text: string): void {
    if (text.includes(miner.canary)) run.violate('I3', 'the key is in a frame')
    const message = parseClientMessage(text)
    if (message.kind === 'hail') {
      run.note(link.program.name, `hails on ${link.number}`)
      if (hailed.has(link)) run.violate('I2', `it hails twice on ${link.number}`)
      hailed.add(link)
      return
    }
    if (!hailed.has(link)) run.violate('I2', `it speaks on ${link.number} before it hails`)
    if (message.kind !== 'publish') return
    const hash = String(message.data.microblockHash) as Hash
    run.note(link.program.name, `publishes ${hash.slice(0, 8)} on ${link.number}`)
    publishedAtMs = time.now()
    publishedInLife++
    if (!sound.has(hash)) run.violate('I2', `it signs ${hash.slice(0, 8)}, which may not be signed`)
    const before = texts.get(hash)
    if (before !== undefined && before !== text) run.violate('I2', `it signs ${hash.slice(0, 8)} in two ways`)
    texts.set(hash, text)
    const ofLink = answered.get(link) ?? new Set()
    answered.set(link, ofLink)
    if (ofLink.has(hash)) run.violate('I2', `it publishes ${hash.slice(0, 8)} twice on ${link.number}`)
    ofLink.add(hash)
    const times = (timesInLife.get(hash) ?? 0) + 1
    timesInLife.set(hash, times)
    if (times > 2) run.violate('I2', `it publishes ${hash.slice(0, 8)} ${times} times`)
  }

  /** G-4: an offer that arrives and may be signed is answered, unless a newer one came. */
  function received(link: SimulatedLink, beacon: Hash | null): void {
    const number = (frames.get(link) ?? 0) + 1
    frames.set(link, number)
    if (beacon !== null) beaconAtMs = time.now()
    if (beacon === null || !sound.has(beacon) || timesInLife.has(beacon)) return
    const atMs = time.now()
    time.after(ANSWERED_WITHIN_MS, () => {
      const { program } = link
      const isUndisturbed = frames.get(link) === number && link.isOpen && program.runsSinceMs() <= atMs
      if (program.isOver() || !isUndisturbed || timesInLife.has(beacon)) return
      run.violate('I2', `${beacon.slice(0, 8)} arrived on ${link.number} and is not answered`)
    })
  }

  const watcher: LinkWatcher = {
    sent,
    received,
    offered: (hash) => void sound.add(hash),
    reported: (_, code) => void reported.add(code),
    wentDumb: (link) => {
      const atMs = time.now()
      time.after(MAX_DUMB_MS, () => {
        const { program } = link
        if (program.isOver() || !link.isOpen || program.runsSinceMs() > atMs) return
        run.violate('I4', `${link.number} is dumb for ${MAX_DUMB_MS} ms and still held for alive`)
      })
    },
  }

  return {
    watcher,
    begins: (): void => {
      timesInLife = new Map()
      publishedInLife = 0
    },
    opens: ({ name }: Program, url: string): void => {
      run.note(name, `opens ${url}`)
      opens.push(time.now())
      const recent = opens.filter((atMs) => atMs > time.now() - 60_000).length
      if (recent > 60) run.violate('I4', `${recent} connections in a minute`)
    },
    mayStop: (reason: string): boolean => {
      if (reason === 'duplicateKey') return reported.has(DUPLICATE_KEY)
      if (reason === 'wrongProtocolVersion') return reported.has(WRONG_VERSION)
      return reason === 'requested'
    },
    expectPublication: (): void => {
      expectedSinceMs = time.now()
    },
    heardBeaconMsAgo: (): number => time.now() - beaconAtMs,
    hasPublished: (): boolean => publishedAtMs > expectedSinceMs,
    publishedInLife: (): number => publishedInLife,
  }
}
