import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RUNNING, type RunningProcess, runningProcesses, systemFaultOf } from '@hailstone/runtime/node'
import { askRecorded, type HealthAnswer } from './ask-health.ts'
import { stampText } from './clock-text.ts'
import { CommandFailure } from './command-failure.ts'
import type { Given } from './command-line.ts'
import { processesFolder } from './data-folder.ts'
import { type Exit, exits } from './exit-codes.ts'
import { healthTokenOf } from './health-options.ts'
import { parsePort } from './option-values.ts'
import { factsIn, judgeAnswer, type Verdict } from './process-verdict.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import type { WebhookReport } from './webhook/open-webhooks.ts'
import { webhookStatus } from './webhook/webhook-text.ts'

/** One process, or a folder of processes that cannot be read. */
type Seen = Omit<RunningProcess, 'name'> & {
  readonly name: string | null
  /** Folder of its record; null for a port that was named. */
  readonly folder: string | null
}

const unknownSeen = { name: null, program: null, processId: null, startedAtMs: null, healthUrl: null }

/** Folders that services have for their data; see `ops/systemd`. */
const STATES = '/var/lib'

/** Returns the folders of processes that run as services. */
export async function serviceFolders(states: string = STATES): Promise<readonly string[]> {
  const below = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  const own = (await below(states)).filter((path) => /\/hailstone(?:-[^/]*)?$/.test(path))
  const named = await below(join(states, 'hailstone'))
  return [...own, ...named].map((data) => join(data, RUNNING))
}

/** A folder of services that this user may not read is a row of its own: whether something runs there is unknown. */
async function seenIn(folder: string): Promise<readonly (Seen & { readonly fault?: string })[]> {
  try {
    return (await runningProcesses(folder)).map((one) => ({ ...one, folder }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    const fault = systemFaultOf(error)
    if (fault === null) throw error
    return [{ ...unknownSeen, folder, fault: `What runs there is unknown. ${fault}` }]
  }
}

async function seenOf(
  given: Given<'status'>,
  terminal: Terminal,
): Promise<Awaited<ReturnType<typeof seenIn>>> {
  const { healthPort: port, data } = given
  if (port !== undefined && data !== undefined)
    throw new UsageError('--health-port names the process to ask: leave --data out.')
  if (port !== undefined) {
    const healthUrl = `http://127.0.0.1:${parsePort('--health-port', port)}/status`
    return [{ ...unknownSeen, folder: null, healthUrl }]
  }
  const folder = processesFolder(given, terminal)
  const own = (await runningProcesses(folder)).map((one) => ({ ...one, folder }))
  if (data !== undefined || terminal.environment.HAILSTONE_DATA) return own
  const others = (await serviceFolders()).filter((one) => one !== folder)
  return [...own, ...(await Promise.all(others.map(seenIn))).flat()]
}

/**
 * Prints every process of Hailstone on this machine that says that it runs: what it is, since when, where, and whether it
 * is ready.
 *
 * @throws the error of a data folder that cannot be read
 * @throws {CommandFailure} with exit code 8 if none runs
 */
export async function status(given: Given<'status'>, terminal: Terminal): Promise<Exit> {
  const [seen, token] = [await seenOf(given, terminal), await healthTokenOf(given, terminal)]
  const asked = await Promise.all(
    seen.map(async ({ fault, ...one }) => {
      const answer = one.healthUrl === null ? null : await askRecorded(one.healthUrl, token)
      return {
        one,
        answer,
        verdict: fault === undefined ? judgeAnswer(one.healthUrl, answer) : unknown(fault),
      }
    }),
  )
  // A port that was named and does not answer is nothing that runs.
  const found = asked.filter(({ one, answer }) => one.folder !== null || answer !== null)
  if (found.length === 0)
    throw new CommandFailure(exits.notRunning.meaning, exits.notRunning, exits.notRunning.nextStep)
  for (const { one, answer, verdict } of found)
    if (terminal.manner === 'json')
      terminal.tell({ event: 'process', ...one, ...verdict, status: bodyOf(answer) })
    else for (const line of linesOf(one, verdict, answer)) terminal.say(line)
  return found.every(({ verdict }) => verdict.state === 'ready') ? exits.ok : exits.notReady
}

const unknown = (why: string): Verdict => ({
  state: 'unknown',
  code: null,
  why,
  nextStep: 'Ask as a user who may read it, or with --data DIR.',
})

const bodyOf = (answer: HealthAnswer | null): object | null =>
  answer === null || answer.status === 401 ? null : factsIn(answer.text)

const textOf = (value: unknown): string => (value === null || value === undefined ? '—' : String(value))

/** Meanings of the codes of the leader check. A code that is not here is shown as it is. */
const leaderTexts: Readonly<Record<string, string>> = {
  on: 'signatures are verified',
  'on, unsigned accepted': 'signatures are verified where beacons have one',
  off: 'signatures are not verified',
  noKey: 'this network names no master key, so signatures are not verified',
  noVerifier: 'beacons with a signature are not signed',
}

const words = { ready: 'ready', notReady: 'not ready', unknown: 'unknown' } as const

type Facts = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

function linesOf(
  one: Seen,
  { state, code, why, nextStep }: Verdict,
  answer: HealthAnswer | null,
): readonly string[] {
  const { program, processId, startedAtMs, healthUrl, folder } = one
  const what = [
    program ?? 'a process',
    ...(processId === null ? [] : [`process ${processId}`]),
    ...(startedAtMs === null ? [] : [`since ${stampText(new Date(startedAtMs))}`]),
  ]
  const lines = [
    `${what.join(', ')}: ${words[state]}${code === null || state === 'ready' ? '' : ` (${code})`}`,
  ]
  const row = (name: string, value: string): void => void lines.push(`  ${name.padEnd(10)}${value}`)
  row('at', healthUrl ?? textOf(folder))
  const body = (bodyOf(answer) ?? {}) as Facts
  const { address, state: session, height, publications, nodes, health } = body
  if (address !== undefined) row('address', textOf(address))
  if (nodes !== undefined) row('nodes', `${textOf(nodes['mining'])} of ${textOf(nodes['total'])} mining`)
  if (session !== undefined) row('session', textOf(session['status'] ?? session))
  if (height !== undefined) row('height', textOf(Object(height) === height ? height?.['value'] : height))
  if (body['miners_online'] !== undefined) row('miners', `${textOf(body['miners_online'])} online`)
  if (publications !== undefined)
    row('signed', `${textOf(publications['published'])}, included ${textOf(publications['included'])}`)
  const check = health?.['leaderCheck']
  if (typeof check === 'string') row('leaders', leaderTexts[check] ?? check)
  if (body['webhooks'] !== undefined)
    for (const [index, text] of webhookStatus(
      body['webhooks'] as unknown as WebhookReport,
      Date.now(),
    ).entries())
      row(index === 0 ? 'webhooks' : '', text)
  if (why !== null) row('why', why)
  if (nextStep !== null) row('next', nextStep)
  return lines
}
