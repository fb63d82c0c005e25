import { stat } from 'node:fs/promises'
import { type Wallet, walletFromPrivateKey } from '@hailstone/client'
import type { StopReason } from '@hailstone/mining-node'
import { createFleet, type Fleet, type FleetEvent, type FleetHealth } from '@hailstone/mining-node/fleet'
import { fleetMetrics, type HealthSource, metricsText } from '@hailstone/mining-node/health'
import { type Address, isAddress, isNodeError, plainText } from '@hailstone/protocol'
import { assertGateway, chosenNetwork, clientOf } from './chosen-network.ts'
import { stampText } from './clock-text.ts'
import type { Given } from './command-line.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { reloadOnHangup } from './config/reload-on-hangup.ts'
import { dataFolder, folderIn } from './data-folder.ts'
import { type Exit, exitOfStop, exits } from './exit-codes.ts'
import { assertKeysFile, keyLines } from './fleet-key-file.ts'
import { fleetLines, problemLines, renderFleetView } from './fleet-view.ts'
import { createFleetWork, type FleetWork } from './fleet-work.ts'
import { announceRunning, healthSettings, type ServedHealth, servedHealth } from './health-options.ts'
import { createLiveScreen } from './live-screen.ts'
import { assertTokenKnown, LAST_DELIVERIES_MS, mineSettings } from './mine.ts'
import { parseCount, required } from './option-values.ts'
import { outputMetrics } from './output-metrics.ts'
import { fleetReadings } from './payout/fleet-readings.ts'
import { payoutOptions } from './payout/payout-options.ts'
import { preparePayouts } from './payout/prepare-payouts.ts'
import type { Shown } from './show-mining.ts'
import { watchSignals } from './signals.ts'
import { lostLines, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { warnOfOpenGateways } from './warn-of-open-gateways.ts'
import { FLEET_LOCK, fleetOwner, noteOwner, takeKeysFile } from './webhook/fleet-owner.ts'
import { keepLock, openSoleWebhooks } from './webhook/open-sole-webhooks.ts'
import { type Webhooks, webhookMetrics } from './webhook/open-webhooks.ts'
import { ENDS_OF_ALL, reportFleet } from './webhook/report-fleet.ts'
import { type AtEnd, withEndings } from './with-endings.ts'

/** Mines with every key of a file until a signal comes. */
export async function fleetCommand(loaded: LoadedConfig<Given<'fleet'>>, terminal: Terminal): Promise<Exit> {
  const { given } = loaded
  const { blockTimeMs, onDuplicateKey, requireLeaderSignature } = mineSettings(given)
  const options = payoutOptions(given)
  const chosen = chosenNetwork(given, terminal)
  warnOfOpenGateways([...chosen.gatewayUrls, ...chosen.bootNodeUrls], terminal)
  assertGateway(chosen)
  assertTokenKnown(given, chosen)
  const path = required('--keys-file', given.keysFile)
  await assertKeysFile(path)
  const healthAt = await healthSettings(given, terminal)
  const signingThreads = given.threads === undefined ? undefined : parseCount('--threads', given.threads, 0)
  return withEndings(async (atEnd) => {
    const interruption = watchSignals()
    atEnd(interruption.release)
    const webhooks = await fleetWebhooks({ loaded, path, terminal, atEnd })
    const client = chosen.apiUrls.length === 0 ? undefined : clientOf(chosen)
    if (client !== undefined) atEnd(client.close)
    const wallets = options === null ? [] : await walletsOf(path)
    const startPayouts = await preparePayouts({ options, given, wallets, client, terminal })
    const fleet = createFleet({
      keys: () => keyLines(path),
      client,
      gatewayUrl: chosen.gatewayUrls,
      bootNodeUrls: chosen.bootNodeUrls,
      requireEncryption: chosen.requireEncryption,
      tokenId: given.token,
      referralAgent: given.agent,
      blockTimeMs,
      onDuplicateKey,
      requireLeaderSignature,
      mineBelowStake: given.mineBelowStake === true,
      network: chosen.network,
      signingThreads,
    })
    atEnd(fleet.stop)
    const reports = webhooks && reportFleet(webhooks, { fleet, client })
    const work = createFleetWork()
    atEnd(fleet.subscribe(work.note))
    const served = await servedHealth(sourceOf({ fleet, webhooks, work }), healthAt, atEnd)
    atEnd(await announceRunning('fleet', { given, served, terminal }))
    const shown = showFleet({ fleet, terminal, served, webhooks })
    atEnd(shown.stop)
    const { warn } = shown
    if (startPayouts !== null) {
      const say = terminal.manner === 'live' ? warn : terminal.say
      const readOf = fleetReadings(fleet)
      atEnd(startPayouts({ blockTimeMs, say, readOf }).stop)
    }
    const onTaken = webhooks?.delivery.wake
    atEnd(reloadOnHangup({ loaded, health: healthAt, terminal: { ...terminal, warn }, onTaken }))
    const fleetEnd = watchEnd(fleet)
    const started = fleet.start().then(() => {
      fleetEnd.begun()
      reports?.begun()
    })
    await Promise.race([started, interruption.happened])
    const end = await Promise.race([fleetEnd.happened, interruption.happened.then(() => ASKED)])
    const exit = end === ASKED ? exits.ok : exits[exitOfStop[end.reason]]
    if (exit !== exits.ok && terminal.manner !== 'json') terminal.say(fleet.health().why)
    // Before the miners end, which may take all the time there is: what was earned meanwhile the next process tells.
    await reports?.stop(end)
    await Promise.all([fleet.stop(), webhooks?.delivery.flush(LAST_DELIVERIES_MS)])
    return exit
  })
}

/** Returns the wallets of a file of keys, each once. Keys that are refused, the fleet reports. */
async function walletsOf(path: string): Promise<readonly Wallet[]> {
  // A pipe gives its keys once, and the fleet needs them.
  if (!(await stat(path)).isFile())
    throw new UsageError('--payout-to needs a file of keys that can be read again, not a pipe.')
  const wallets = new Map<Address, Wallet>()
  for await (const key of keyLines(path)) {
    try {
      const wallet = walletFromPrivateKey(key)
      wallets.set(wallet.address, wallet)
    } catch (error) {
      if (!isNodeError(error, 'PRIVATE_KEY_MALFORMED')) throw error
    }
  }
  return [...wallets.values()]
}

const ASKED: FleetStop = { reason: 'requested', why: 'stopped' }

/**
 * Opens the webhooks of a fleet. They belong to its file of keys: two fleets with one data folder have each their own.
 *
 * @throws {CommandFailure} while another fleet has that file
 */
async function fleetWebhooks(parameters: {
  readonly loaded: LoadedConfig<Given<'fleet'>>
  readonly path: string
  readonly terminal: Terminal
  readonly atEnd: AtEnd
}): Promise<Webhooks | null> {
  const { loaded, path, terminal, atEnd } = parameters
  const { given, webhook: target } = loaded
  if (target() === null) return null
  const folder = await folderIn(dataFolder(given, terminal), 'webhooks')
  const held = (processId: number | null): readonly [string, string] => [
    `Process ${processId} runs a fleet with this file of keys and sends its webhooks.`,
    'Stop that process, or give this fleet a file of keys or a data folder of its own.',
  ]
  keepLock(await takeKeysFile(path, folder), { atEnd, held })
  const webhooks = await openSoleWebhooks({
    owner: await fleetOwner(path, folder),
    given,
    terminal,
    isOnScreen: terminal.manner === 'live',
    target,
    atEnd,
    lock: FLEET_LOCK,
    held,
  })
  await noteOwner(webhooks.folder)
  return webhooks
}

type FleetStop = { readonly reason: StopReason; readonly why: string }

type FleetEnd = {
  /** Every miner has begun: from now on it is an end when all have stopped. */
  readonly begun: () => void
  /** Resolves when no miner of the fleet is left, with why the last one stopped. */
  readonly happened: Promise<FleetStop>
}

function watchEnd(fleet: Fleet): FleetEnd {
  let [total, stopped] = [0, 0]
  let last = ASKED
  let resolve: (end: FleetStop) => void = () => undefined
  const happened = new Promise<FleetStop>((resolved) => {
    resolve = resolved
  })
  const check = (): void => {
    if (total > 0 && stopped >= total) resolve(last)
  }
  fleet.subscribe((event) => {
    if (event.type !== 'stopped' || event.reason === 'requested') return
    stopped++
    last = { reason: event.reason, why: event.why }
    check()
  })
  return {
    begun: () => {
      total = fleet.health().nodes.total
      check()
    },
    happened,
  }
}

/** Returns the status of one account, in the form of a single miner's; null if the fleet does not have it. */
function accountStatus(fleet: Fleet, work: FleetWork, address: string): object | null {
  const node = isAddress(address) ? fleet.node(address) : undefined
  if (node === undefined) return null
  const tokenId = fleet.health().accounts?.tokenId
  return { processId: process.pid, tokenId, ...node, ...work.of(node.address) }
}

function sourceOf(parameters: {
  readonly fleet: Fleet
  readonly webhooks: Webhooks | null
  readonly work: FleetWork
}): HealthSource {
  const { fleet, webhooks, work } = parameters
  const begunAt = performance.now()
  const uptimeMs = (): number => Math.round(performance.now() - begunAt)
  return {
    health: fleet.health,
    status: (query) => {
      const address = query.get('address')
      if (address !== null) return accountStatus(fleet, work, address)
      const { isReady, code, why, nextStep, ...facts } = fleet.health()
      return {
        processId: process.pid,
        uptimeMs: uptimeMs(),
        health: { isReady, code, why, nextStep },
        ...facts,
        lostLines: lostLines().lines,
        ...(webhooks === null ? {} : { webhooks: webhooks.report() }),
      }
    },
    metrics: () =>
      metricsText([
        ...fleetMetrics(fleet.health(), uptimeMs()),
        ...(webhooks === null ? [] : webhookMetrics(webhooks.delivery)),
        ...outputMetrics(),
      ]),
  }
}

const SUMMARY_EVERY_MS = 10_000
/** After the start; connections under way are no problems yet. */
const FIRST_PROBLEMS_MS = 2_000

/** Prints a summary line at intervals; single nodes are only printed as JSON. */
function showFleet(parameters: {
  readonly fleet: Fleet
  readonly terminal: Terminal
  readonly served: ServedHealth | null
  readonly webhooks: Webhooks | null
}): Shown {
  const { fleet, terminal, served, webhooks } = parameters
  const { warn } = terminal
  if (terminal.manner === 'live') {
    const screen = createLiveScreen(terminal, (columns) =>
      renderFleetView(
        { health: fleet.health(), served, webhooks: webhooks?.report() ?? null, nowMs: Date.now() },
        columns,
      ),
    )
    const leave = fleet.subscribe(screen.changed)
    return {
      warn: (line) => screen.print(plainText(line)),
      stop: () => {
        leave()
        screen.stop()
      },
    }
  }
  if (terminal.manner === 'json') {
    const tell = (event: string, facts: object): void => terminal.tell({ event, ...facts })
    if (served !== null) tell('healthServed', { port: served.port, url: served.url })
    return { warn, stop: fleet.subscribe(({ type, ...facts }) => tell(type, facts)) }
  }
  if (served !== null) terminal.say(`${stampText()}  health at ${served.url}/health`)
  const leave = fleet.subscribe((event) => {
    const line = lineOf(event)
    if (line !== null) terminal.say(`${stampText()}  ${line}`)
    // What concerns the whole fleet, such as an API that is away before any miner has begun.
    if (event.type === 'failed' && event.address === null) sayProblems(fleet.health())
    if (event.type === 'started') setTimeout(() => sayProblems(fleet.health()), FIRST_PROBLEMS_MS).unref()
  })
  let said = ''
  /** Problems are repeated only when they change. */
  const sayProblems = (health: FleetHealth): void => {
    const lines = problemLines(health)
    if (lines.join() !== said) for (const line of lines) terminal.say(`${stampText()}  ${line}`)
    said = lines.join()
  }
  const timer = setInterval(() => {
    const health = fleet.health()
    const [line = ''] = fleetLines(health, served)
    terminal.say(`${stampText()}  ${line}`)
    sayProblems(health)
  }, SUMMARY_EVERY_MS)
  return {
    warn,
    stop: () => {
      leave()
      clearInterval(timer)
    },
  }
}

function lineOf(event: FleetEvent): string | null {
  switch (event.type) {
    case 'started':
      return `${event.nodes} miners have begun`
    case 'included':
      return `included in block ${event.height}: ${event.microblockHash} of ${event.address}`
    case 'keyRefused':
      return `key ${event.index + 1} was refused: ${event.error.message}`
    case 'shortage':
      return `the system gives no more files or ports (${event.code}) at ${event.openSockets} sockets; see ulimit -n`
    case 'stopped':
      return ENDS_OF_ALL.has(event.reason) ? null : `${event.address}: ${event.why}`
    default:
      return null
  }
}
