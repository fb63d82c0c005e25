import { styleText } from 'node:util'
import type { MiningSnapshot } from '@hailstone/mining-node'
import type { NodeHealth } from '@hailstone/mining-node/health'
import { coinsIn } from './coins.ts'
import { fitLine } from './live-screen.ts'
import type { WebhookReport } from './webhook/open-webhooks.ts'
import { webhookWarnings } from './webhook/webhook-text.ts'

/** State that the live view is drawn from. */
export type MineView = {
  readonly snapshot: MiningSnapshot
  readonly health: NodeHealth
  /** Null without webhooks. */
  readonly webhooks: WebhookReport | null
  readonly nowMs: number
  readonly healthUrl: string | null
  readonly log: readonly string[]
  readonly hasColours: boolean
}

const LOG_LINES = 8

const age = (nowMs: number, atMs: number): string => `${Math.max(0, Math.round((nowMs - atMs) / 1000))} s ago`

type Style = Parameters<typeof styleText>[0]

/** A stale value stays and says so; it never becomes a zero. */
function valueLines({ snapshot, nowMs }: MineView): readonly string[] {
  const { height, balance, rewards, publications } = snapshot
  const coins = (units: bigint): string => coinsIn(snapshot, units, snapshot.tokenId)
  const heightText =
    height === null
      ? '—'
      : `${height.value}, read ${age(nowMs, height.readAtMs)}${height.isStale ? ', stale' : ''}`
  const balanceText =
    balance === null
      ? '—'
      : `${coins(balance.amount)}, read ${age(nowMs, balance.readAtMs)}${balance.isStale ? ', stale' : ''}`
  const mined = rewards.find(({ tokenId }) => tokenId === snapshot.tokenId)
  const { count, own, referral } = mined ?? { count: 0, own: 0n, referral: 0n }
  const others = rewards.filter((total) => total !== mined).reduce((sum, total) => sum + total.count, 0)
  return [
    `height    ${heightText}`,
    `balance   ${balanceText}`,
    `signed    ${publications.published}, included ${publications.included}, refused ${publications.refused}`,
    count === 0 ? 'rewards   none yet' : `rewards   ${count}: own ${coins(own)}, referral ${coins(referral)}`,
    ...(others === 0 ? [] : [`          and ${others} in other tokens`]),
  ]
}

/**
 * The live view as lines that fit, with a row left for the cursor: the log gives way first, for what is taller than
 * the terminal cannot be drawn in the same place again. Pure: the same view gives the same lines.
 */
export function renderMineView(
  view: MineView,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const { snapshot, health, webhooks, nowMs, healthUrl, log, hasColours } = view
  const paint = (style: Style, text: string): string => (hasColours ? styleText(style, text) : text)
  const fit = (text: string): string => fitLine(text, columns)
  const { state, warnings, address } = snapshot
  const { status, why, nextStep } = state
  const isShown = why !== '' && why !== status
  const above = [
    paint('bold', fit(`Hailstone  ${address}`)),
    '',
    paint(status === 'mining' ? 'green' : 'yellow', fit(isShown ? `${status}: ${why}` : status)),
    ...(nextStep === '' ? [] : [paint('dim', fit(`→ ${nextStep}`))]),
    ...valueLines(view).map(fit),
    ...[
      ...warnings.map(({ message }) => message),
      ...(webhooks === null ? [] : webhookWarnings(webhooks, nowMs)),
    ].map((text) => paint('yellow', fit(`! ${text}`))),
    ...(healthUrl === null ? [] : [paint('dim', fit(`health    ${healthUrl}/health  ${health.code}`))]),
    '',
  ]
  const below = status === 'stopped' ? [] : [paint('dim', fit('Ctrl-C stops.'))]
  const free = Math.min(LOG_LINES, rows - 1 - above.length - below.length)
  const shown = free > 0 ? log.slice(-free) : []
  return [...above, ...shown.map((line) => paint('dim', fit(line))), ...below]
}
