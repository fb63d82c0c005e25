import { askHealthPort } from './ask-health.ts'
import type { Given } from './command-line.ts'
import { dataFolder, pathIn } from './data-folder.ts'
import { type Exit, exits } from './exit-codes.ts'
import { healthTokenOf } from './health-options.ts'
import { runningMiners } from './miner-record.ts'
import { parsePort } from './option-values.ts'
import type { Terminal } from './terminal.ts'
import type { WebhookReport } from './webhook/open-webhooks.ts'
import { webhookStatus } from './webhook/webhook-text.ts'

/** Health answer of a miner; only the members that every kind of miner has. */
type Status = {
  readonly health?: {
    readonly isReady?: boolean
    readonly code?: string
    readonly why?: string
    readonly nextStep?: string
    readonly leaderCheck?: string
  }
  readonly webhooks?: WebhookReport
}

/** Ports to ask: the one that is named, or those of the miners that run on this machine. */
async function portsOf(given: Given<'status'>, terminal: Terminal): Promise<readonly number[]> {
  const port = given.healthPort
  if (port !== undefined) return [parsePort('--health-port', port)]
  const folder = pathIn(dataFolder(given, terminal), 'miners')
  const miners = await runningMiners(folder)
  for (const { address, processId, healthPort } of miners) {
    if (healthPort === null)
      terminal.warn(`Process ${processId} mines with ${address} and has no health port.`)
  }
  return miners.flatMap(({ healthPort }) => healthPort ?? [])
}

/**
 * Prints the state of each miner that runs on this machine, read from its health port.
 *
 * @throws the error of a data folder that cannot be read
 */
export async function status(given: Given<'status'>, terminal: Terminal): Promise<Exit> {
  const ports = await portsOf(given, terminal)
  const token = await healthTokenOf(given, terminal)
  const answers = await Promise.all(
    ports.map(async (port) => ({ port, answer: await askHealthPort(port, '/status', token) })),
  )
  for (const { port, answer } of answers)
    if (answer?.status === 401)
      terminal.warn(`Port ${port} wants a token: name its file with --health-token-file.`)
  const found = answers.flatMap(({ port, answer }) =>
    answer?.status === 200 ? [{ port, status: JSON.parse(answer.text) as Status }] : [],
  )
  if (found.length === 0) {
    if (terminal.manner === 'json') terminal.tell({ isRunning: false, miners: [] })
    else terminal.say(`${exits.notRunning.meaning} ${exits.notRunning.nextStep}`)
    return exits.notRunning
  }
  if (terminal.manner === 'json')
    terminal.tell({ isRunning: true, miners: found.map(({ port, status }) => ({ port, ...status })) })
  else for (const { port, status } of found) for (const line of statusLines(port, status)) terminal.say(line)
  return found.every(({ status }) => status.health?.isReady === true) ? exits.ok : exits.notReady
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '—' : String(value))

/** Meanings of the codes of the leader check. A code that is not here is shown as it is. */
const leaderTexts: Readonly<Record<string, string>> = {
  on: 'signatures are verified',
  'on, unsigned accepted': 'signatures are verified where beacons have one',
  off: 'signatures are not verified',
  noKey: 'this network names no master key, so signatures are not verified',
  noVerifier: 'beacons with a signature are not signed',
}

function statusLines(port: number, status: Status): readonly string[] {
  const { health, webhooks, ...facts } = status
  const { address, state, height, publications, nodes } = facts as Record<
    string,
    Record<string, unknown> | undefined
  >
  const lines = [
    `port ${port}: ${health?.isReady === true ? 'ready' : `not ready (${textOf(health?.code)})`}`,
  ]
  if (address !== undefined) lines.push(`  address   ${textOf(address)}`)
  if (nodes !== undefined) lines.push(`  nodes     ${textOf(nodes.mining)} of ${textOf(nodes.total)} mining`)
  if (state !== undefined) lines.push(`  session   ${textOf(state.status)}`)
  if (height !== undefined) lines.push(`  height    ${textOf(height?.value)}`)
  if (publications !== undefined)
    lines.push(`  signed    ${textOf(publications.published)}, included ${textOf(publications.included)}`)
  if (health?.leaderCheck !== undefined)
    lines.push(`  leaders   ${leaderTexts[health.leaderCheck] ?? health.leaderCheck}`)
  if (webhooks !== undefined)
    for (const [index, text] of webhookStatus(webhooks, Date.now()).entries())
      lines.push(`  ${(index === 0 ? 'webhooks' : '').padEnd(10)}${text}`)
  if (health?.why) lines.push(`  why       ${health.why}`)
  if (health?.nextStep) lines.push(`  next      ${health.nextStep}`)
  return lines
}
