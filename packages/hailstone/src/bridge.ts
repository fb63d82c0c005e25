import { readFile } from 'node:fs/promises'
import { type Bridge, type BridgeSettings, createBridge } from '@hailstone/mining-node/bridge'
import { type HealthSource, metricsText } from '@hailstone/mining-node/health'
import { writtenText } from '@hailstone/runtime/node'
import { stampText } from './clock-text.ts'
import type { Given } from './command-line.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { reloadOnHangup } from './config/reload-on-hangup.ts'
import { type Exit, exits } from './exit-codes.ts'
import { announceRunning, healthSettings, type ServedHealth, servedHealth } from './health-options.ts'
import { LAST_DELIVERIES_MS } from './mine.ts'
import { parseCount, parsePlace, required } from './option-values.ts'
import { outputMetrics } from './output-metrics.ts'
import { watchSignals } from './signals.ts'
import { lostLines, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { openSoleWebhooks } from './webhook/open-sole-webhooks.ts'
import { type Webhooks, webhookMetrics } from './webhook/open-webhooks.ts'
import { reportBridge } from './webhook/report-bridge.ts'
import { type AtEnd, withEndings } from './with-endings.ts'

const DEFAULT_PLACE = '127.0.0.1:4430'

/** Relays between pages and gateways until a signal comes. */
export async function bridge(loaded: LoadedConfig<Given<'bridge'>>, terminal: Terminal): Promise<Exit> {
  const { given } = loaded
  const settings = await settingsOf(given)
  const healthAt = await healthSettings(given, terminal)
  return withEndings(async (atEnd) => {
    const interruption = watchSignals()
    atEnd(interruption.release)
    const webhooks = await bridgeWebhooks({ loaded, settings, terminal, atEnd })
    atEnd(reloadOnHangup({ loaded, health: healthAt, terminal, onTaken: webhooks?.delivery.wake }))
    const opened = await createBridge(settings)
    atEnd(() => opened.stop())
    const served = await servedHealth(sourceOf(opened, webhooks), healthAt, atEnd)
    atEnd(await announceRunning('bridge', { given, served, terminal }))
    announce(opened, settings, served, terminal)
    atEnd(reportNowAndThen(opened, terminal))
    const reports = webhooks && reportBridge(webhooks, opened)
    await interruption.happened
    await reports?.stop()
    await Promise.all([opened.stop(), webhooks?.delivery.flush(LAST_DELIVERIES_MS)])
    return exits.ok
  })
}

async function settingsOf(given: Given<'bridge'>): Promise<BridgeSettings> {
  const upstreams = required('--upstream', given.upstream)
  const { host, port } = parsePlace('--listen', given.listen ?? DEFAULT_PLACE)
  const { maxSessions: sessions, maxPerAddress: perAddress } = given
  return {
    upstreams,
    host,
    port,
    tls: await tlsOf(given),
    allowedOrigins: given.origin,
    isBehindProxy: given.behindProxy,
    limits: {
      ...(sessions === undefined ? {} : { sessions: parseCount('--max-sessions', sessions, 1) }),
      ...(perAddress === undefined
        ? {}
        : { sessionsPerAddress: parseCount('--max-per-address', perAddress, 1) }),
    },
  }
}

async function tlsOf(given: Given<'bridge'>): Promise<BridgeSettings['tls']> {
  const { tlsCert: certificate, tlsKey: key } = given
  if (certificate === undefined && key === undefined) return undefined
  return {
    certificate: await textIn('--tls-cert', required('--tls-cert', certificate)),
    key: await textIn('--tls-key', required('--tls-key', key)),
  }
}

const textIn = async (option: string, path: string): Promise<string> => {
  try {
    return writtenText(await readFile(path))
  } catch {
    throw new UsageError(`The file of ${option} cannot be read.`)
  }
}

const sourceOf = (opened: Bridge, webhooks: Webhooks | null): HealthSource => ({
  health: opened.health,
  status: () => ({
    processId: process.pid,
    ...opened.health(),
    lostLines: lostLines().lines,
    ...(webhooks === null ? {} : { webhooks: webhooks.report() }),
  }),
  metrics: () =>
    opened.metrics() +
    (webhooks === null ? '' : metricsText(webhookMetrics(webhooks.delivery))) +
    metricsText(outputMetrics()),
})

/**
 * Opens the webhooks of a bridge. They belong to the place where it listens.
 *
 * @throws {CommandFailure} while another bridge has them
 */
async function bridgeWebhooks(parameters: {
  readonly loaded: LoadedConfig<Given<'bridge'>>
  readonly settings: BridgeSettings
  readonly terminal: Terminal
  readonly atEnd: AtEnd
}): Promise<Webhooks | null> {
  const { loaded, settings, terminal, atEnd } = parameters
  const { given, webhook: target } = loaded
  if (target() === null) return null
  const place = `${settings.host}-${settings.port}`.replace(/[^\w.-]/g, '-')
  return openSoleWebhooks({
    owner: `bridge-${place}`,
    given,
    terminal,
    target,
    atEnd,
    lock: 'bridge.lock',
    held: (processId) => [
      `Process ${processId} runs a bridge at this place and sends its webhooks.`,
      'Stop that process, or give this bridge another --listen or --data.',
    ],
  })
}

function announce(
  opened: Bridge,
  settings: BridgeSettings,
  served: ServedHealth | null,
  terminal: Terminal,
): void {
  const { url } = opened
  if (terminal.manner === 'json') {
    const healthPort = served?.port ?? null
    terminal.tell({ event: 'bridgeOpened', url, upstreams: settings.upstreams.length, healthPort })
    return
  }
  terminal.say(`${stampText()}  bridge at ${url} to ${settings.upstreams.join(', ')}`)
  if (settings.tls === undefined) {
    terminal.say(
      '  pages served over https need wss: give --tls-cert and --tls-key, or put TLS in front of it',
    )
  }
  if (served !== null) terminal.say(`${stampText()}  health at ${served.url}/health`)
}

const REPORT_EVERY_MS = 10_000

/** One line when something changed. */
function reportNowAndThen(opened: Bridge, terminal: Terminal): () => void {
  let last = ''
  const timer = setInterval(() => {
    const { sessions, opened: total, refused } = opened.health()
    const turnedAway = Object.values(refused).reduce((sum, count) => sum + count, 0)
    const line = `${sessions} sessions; ${total} opened and ${turnedAway} refused so far`
    if (line === last) return
    last = line
    if (terminal.manner === 'json')
      terminal.tell({ event: 'bridgeCounted', sessions, opened: total, refused })
    else terminal.say(`${stampText()}  ${line}`)
  }, REPORT_EVERY_MS)
  return () => clearInterval(timer)
}
