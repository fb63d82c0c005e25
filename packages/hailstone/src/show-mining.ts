import type { MiningNode } from '@hailstone/mining-node'
import type { HealthWatch } from '@hailstone/mining-node/health'
import type { ServedHealth } from './health-options.ts'
import { createLiveScreen } from './live-screen.ts'
import { reportEvents } from './mine-report.ts'
import { renderMineView } from './mine-view.ts'
import type { Terminal } from './terminal.ts'

type Shown = {
  readonly node: MiningNode
  readonly health: HealthWatch
  readonly terminal: Terminal
  readonly served: ServedHealth | null
}

const LOG_KEPT = 50

export const clockText = (): string => new Date().toTimeString().slice(0, 8)

/** Shows what happens in the manner of the terminal; returns the end of it. */
export function showMining(shown: Shown): () => void {
  const { terminal } = shown
  if (terminal.manner === 'live') return showLive(shown)
  if (terminal.manner === 'json') showJson(shown)
  else showLines(shown)
  return () => undefined
}

function showLines({ node, terminal, served }: Shown): void {
  if (served !== null) terminal.say(`${clockText()}  health at ${served.url}/health`)
  reportEvents(node, ({ sentence, isForPeople }) => {
    if (isForPeople) terminal.say(`${clockText()}  ${sentence}`)
  })
}

function showJson({ node, terminal, served }: Shown): void {
  const tell = (event: string, facts: object): void =>
    terminal.tell({ at: new Date().toISOString(), event, status: node.state.status, ...facts })
  if (served !== null) tell('healthServed', { port: served.port, url: served.url })
  reportEvents(node, ({ event, facts }) => tell(event, facts))
}

function showLive({ node, health, terminal, served }: Shown): () => void {
  const log: string[] = []
  const { hasColours } = terminal
  const screen = createLiveScreen(terminal, (columns) => {
    const view = { snapshot: node.snapshot(), health: health.read(), nowMs: Date.now() }
    return renderMineView(
      { ...view, healthUrl: served?.url ?? null, log, hasColours },
      { columns, rows: terminal.rows() },
    )
  })
  reportEvents(node, ({ sentence, isForPeople }) => {
    if (!isForPeople) return
    log.push(`${clockText()}  ${sentence}`)
    if (log.length > LOG_KEPT) log.shift()
  })
  node.subscribe(screen.changed)
  return screen.stop
}
