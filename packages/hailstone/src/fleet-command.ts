import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { StopReason } from '@hailstone/mining-node'
import {
  createFleet,
  type Fleet,
  type FleetEvent,
  type FleetHealth,
  type KeySequence,
} from '@hailstone/mining-node/fleet'
import { fleetMetrics, metricsText } from '@hailstone/mining-node/health'
import { formatAmount, plainText } from '@hailstone/protocol'
import { assertGateway, chosenNetwork, clientOf } from './chosen-network.ts'
import type { Given } from './command-line.ts'
import { type Exit, exitOfStop, exits } from './exit-codes.ts'
import { createLiveScreen } from './live-screen.ts'
import { assertTokenKnown, mineSettings, servedPort } from './mine.ts'
import { parseCount, required } from './option-values.ts'
import { clockText } from './show-mining.ts'
import { watchSignals } from './signals.ts'
import type { Terminal } from './terminal.ts'
import { assertPrivateFile } from './wallet-of-options.ts'
import { warnOfOpenGateways } from './warn-of-open-gateways.ts'
import { type AtEnd, withEndings } from './with-endings.ts'

/** Lines of a file of keys, read again whenever a signing thread has to be replaced. */
export async function* keyLines(path: string): AsyncGenerator<string> {
  await assertPrivateFile(path)
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const key = line.trim()
    if (key !== '' && !key.startsWith('#')) yield key
  }
}

/** Mines with every key of a file until a signal comes. */
export async function fleetCommand(given: Given<'fleet'>, terminal: Terminal): Promise<Exit> {
  const { healthPort: port, blockTimeMs, onDuplicateKey, requireLeaderSignature } = mineSettings(given)
  const chosen = chosenNetwork(given, terminal)
  warnOfOpenGateways([...chosen.gatewayUrls, ...chosen.bootNodeUrls], terminal)
  assertGateway(chosen)
  assertTokenKnown(given, chosen)
  const path = required('--keys-file', given.keysFile)
  await assertPrivateFile(path)
  const signingThreads = given.threads === undefined ? undefined : parseCount('--threads', given.threads, 0)
  return withEndings(async (atEnd) => {
    const interruption = watchSignals()
    atEnd(interruption.release)
    const client = chosen.apiUrls.length === 0 ? undefined : clientOf(chosen)
    if (client !== undefined) atEnd(client.close)
    const fleet = createFleet({
      keys: (): KeySequence => keyLines(path),
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
    const healthPort = await serve(fleet, port, atEnd)
    atEnd(showFleet(fleet, terminal, healthPort))
    const ended = endOf(fleet)
    await Promise.race([fleet.start(), interruption.happened])
    return Promise.race([ended, interruption.happened.then(() => exits.ok)])
  })
}

/** Resolves when no miner of the fleet is left, with why the last one stopped. */
function endOf(fleet: Fleet): Promise<Exit> {
  return new Promise((resolve) => {
    let [begun, stopped] = [Number.POSITIVE_INFINITY, 0]
    let last: StopReason = 'requested'
    fleet.subscribe((event) => {
      if (event.type === 'started' && event.nodes > 0) begun = event.nodes
      else if (event.type === 'stopped' && event.reason !== 'requested') {
        stopped++
        last = event.reason
      }
      if (stopped >= begun) resolve(exits[exitOfStop[last]])
    })
  })
}

function serve(fleet: Fleet, port: number | null, atEnd: AtEnd): Promise<number | null> {
  const begunAt = performance.now()
  const uptimeMs = (): number => Math.round(performance.now() - begunAt)
  const source = {
    health: fleet.health,
    status: () => {
      const { isReady, code, why, nextStep, ...facts } = fleet.health()
      return {
        processId: process.pid,
        uptimeMs: uptimeMs(),
        health: { isReady, code, why, nextStep },
        ...facts,
      }
    },
    metrics: () => metricsText(fleetMetrics(fleet.health(), uptimeMs())),
  }
  return servedPort(source, port, atEnd)
}

const SUMMARY_EVERY_MS = 10_000

/** Prints a summary line at intervals; single nodes are only printed as JSON. */
function showFleet(fleet: Fleet, terminal: Terminal, healthPort: number | null): () => void {
  if (terminal.manner === 'live') {
    const screen = createLiveScreen(terminal, () => fleetLines(fleet.health(), healthPort).map(plainText))
    const leave = fleet.subscribe(screen.changed)
    return () => {
      leave()
      screen.stop()
    }
  }
  if (terminal.manner === 'json') {
    const tell = (event: string, facts: object): void =>
      terminal.tell({ at: new Date().toISOString(), ...facts, event })
    if (healthPort !== null) tell('healthServed', { port: healthPort })
    return fleet.subscribe(({ type, ...facts }) => tell(type, facts))
  }
  if (healthPort !== null) terminal.say(`${clockText()}  health at http://127.0.0.1:${healthPort}/health`)
  const leave = fleet.subscribe((event) => {
    const line = lineOf(event)
    if (line !== null) terminal.say(`${clockText()}  ${line}`)
  })
  const timer = setInterval(() => {
    const [line = ''] = fleetLines(fleet.health(), healthPort)
    terminal.say(`${clockText()}  ${line}`)
  }, SUMMARY_EVERY_MS)
  return () => {
    leave()
    clearInterval(timer)
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
      return event.reason === 'requested' ? null : `${event.address}: ${event.why}`
    default:
      return null
  }
}

/** Rewards and balances in coins of the mined token; nothing before the network said what those are. */
function earnings({ accounts }: FleetHealth): readonly string[] {
  const token = accounts?.stakes?.token ?? null
  if (accounts === null || token === null) return []
  const coins = (units: bigint): string => `${formatAmount(units, token)} ${token.symbol}`
  const earned = accounts.rewards.filter(({ tokenId }) => tokenId === accounts.tokenId)
  const sum = earned.reduce((all, { own, referral }) => all + own + referral, 0n)
  const below = accounts.belowStake === 0 ? '' : `; ${accounts.belowStake} below the minimum stake`
  return [`earned ${coins(sum)}; ${coins(accounts.balance)} on ${accounts.read} accounts${below}`]
}

function fleetLines(health: FleetHealth, healthPort: number | null): readonly string[] {
  const { nodes, publications, tip, problems, signing, code } = health
  const height = tip === null ? '—' : `${tip.height}, read ${Math.round(tip.ageMs / 1000)} s ago`
  return [
    `${nodes.total} miners: ${nodes.mining} mining, ${nodes.waitingForBeacon} waiting for a beacon, ${nodes.connecting} connecting, ${nodes.waiting} between connections, ${nodes.stopped} stopped`,
    `signed ${publications.published}, included ${publications.included}; height ${height}; ${signing.threads} signing threads`,
    ...earnings(health),
    ...(health.code === 'NOT_CHOSEN' ? [health.why] : []),
    ...(healthPort === null ? [] : [`health http://127.0.0.1:${healthPort}/health  ${code}`]),
    ...problems.slice(0, 3).map(({ why, nodes: count }) => `${count} × ${why}`),
  ]
}
