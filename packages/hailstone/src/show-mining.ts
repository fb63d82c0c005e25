import type { MiningNode } from '@hailstone/mining-node'
import type { HealthWatch } from '@hailstone/mining-node/health'
import { plainText } from '@hailstone/protocol'
import { clockText, stampText } from './clock-text.ts'
import type { ServedHealth } from './health-options.ts'
import { createLiveScreen } from './live-screen.ts'
import { reportEvents } from './mine-report.ts'
import { renderMineView } from './mine-view.ts'
import type { Terminal } from './terminal.ts'
import type { Webhooks } from './webhook/open-webhooks.ts'

type Parameters = {
  readonly node: MiningNode
  readonly health: HealthWatch
  readonly terminal: Terminal
  readonly served: ServedHealth | null
  readonly webhooks: Pick<Webhooks, 'report'> | null
}

/** Output of a command that shows one thing until its end. */
export type Shown = {
  /** Writes a line about the configuration, where a live screen does not cover it. */
  readonly warn: (line: string) => void
  readonly stop: () => void
}

const LOG_KEPT = 50

/** Shows what happens in the manner of the terminal. */
export function showMining(parameters: Parameters): Shown {
  const { terminal } = parameters
  if (terminal.manner === 'live') return showLive(parameters)
  if (terminal.manner === 'json') showJson(parameters)
  else showLines(parameters)
  return { warn: terminal.warn, stop: () => undefined }
}

function showLines({ node, terminal, served }: Parameters): void {
  if (served !== null) terminal.say(`${stampText()}  health at ${served.url}/health`)
  reportEvents(node, ({ sentence, isForPeople }) => {
    if (isForPeople) terminal.say(`${stampText()}  ${sentence}`)
  })
  // The state says the other warnings.
  let isWarned = false
  node.subscribe(() => {
    const found = node.snapshot().warnings.find(({ code }) => code === 'REFERRER_STAKE_TOO_LOW')
    if (found !== undefined && !isWarned) terminal.say(`${stampText()}  ${found.message}`)
    isWarned = found !== undefined
  })
}

function showJson({ node, terminal, served }: Parameters): void {
  const tell = (event: string, facts: object): void =>
    terminal.tell({ event, status: node.state.status, address: node.address, ...facts })
  if (served !== null) tell('healthServed', { port: served.port, url: served.url })
  reportEvents(node, ({ event, facts }) => tell(event, facts))
}

function showLive({ node, health, terminal, served, webhooks }: Parameters): Shown {
  const log: string[] = []
  const { hasColours } = terminal
  const screen = createLiveScreen(terminal, (columns) => {
    const view = { snapshot: node.snapshot(), health: health.read(), nowMs: Date.now() }
    return renderMineView(
      { ...view, webhooks: webhooks?.report() ?? null, healthUrl: served?.url ?? null, log, hasColours },
      { columns, rows: terminal.rows() },
    )
  })
  reportEvents(node, ({ sentence, isForPeople }) => {
    if (!isForPeople) return
    log.push(`${clockText()}  ${sentence}`)
    if (log.length > LOG_KEPT) log.shift()
  })
  node.subscribe(screen.changed)
  return { warn: (line) => screen.print(plainText(line)), stop: screen.stop }
}
