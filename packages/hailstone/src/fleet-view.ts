import type { FleetHealth } from '@hailstone/mining-node/fleet'
import { shortCoins } from './coins.ts'
import type { ServedHealth } from './health-options.ts'
import { fitLine } from './live-screen.ts'
import type { WebhookReport } from './webhook/open-webhooks.ts'
import { webhookWarnings } from './webhook/webhook-text.ts'

/** Rewards and balances in coins of the mined token. Empty until the token is known. */
function earnings({ accounts }: FleetHealth): readonly string[] {
  const token = accounts?.stakes?.token ?? null
  if (accounts === null || token === null) return []
  const coins = (units: bigint): string => shortCoins(units, token)
  const earned = accounts.rewards.filter(({ tokenId }) => tokenId === accounts.tokenId)
  const sum = earned.reduce((all, { own, referral }) => all + own + referral, 0n)
  const below = accounts.belowStake === 0 ? '' : `; ${accounts.belowStake} below the minimum stake`
  return [`earned ${coins(sum)}; ${coins(accounts.balance)} on ${accounts.read} accounts${below}`]
}

/** The commonest reasons of single miners; before any has begun what keeps them all from it. */
export const problemLines = ({ nodes, problems, why }: FleetHealth): readonly string[] =>
  nodes.total === 0 ? [why] : problems.slice(0, 3).map((problem) => `${problem.nodes} × ${problem.why}`)

/** Returns what a summary says of a fleet; its first line counts the miners. */
export function fleetLines(health: FleetHealth, served: ServedHealth | null): readonly string[] {
  const { nodes, publications, tip, signing, code } = health
  const heldBack = health.accounts?.heldBack ?? 0
  const held = heldBack === 0 ? '' : `, ${heldBack} holding back`
  const height = tip === null ? '—' : `${tip.height}, ${Math.round(tip.ageMs / 1000)} s old`
  return [
    `${nodes.total} miners: ${nodes.mining} mining, ${nodes.waitingForBeacon} waiting for a beacon, ${nodes.connecting} connecting, ${nodes.waiting - heldBack} between connections${held}, ${nodes.stopped} stopped`,
    `signed ${publications.published}, included ${publications.included}; height ${height}; ${signing.threads} signing threads`,
    ...earnings(health),
    ...(health.code === 'NOT_CHOSEN' ? [health.why] : []),
    ...(served === null ? [] : [`health ${served.url}/health  ${code}`]),
    ...problemLines(health),
  ]
}

/** State that the live view of a fleet is drawn from. */
export type FleetView = {
  readonly health: FleetHealth
  readonly served: ServedHealth | null
  /** Null without webhooks. */
  readonly webhooks: WebhookReport | null
  readonly nowMs: number
}

/** Breaks a line at its last comma that fits, so that no count is cut off. */
function broken(line: string, columns: number): readonly string[] {
  const at = line.length < columns ? -1 : line.lastIndexOf(', ', columns - 2)
  return at < 0 ? [line] : [line.slice(0, at + 1), `  ${line.slice(at + 2)}`]
}

/** The live view of a fleet as lines that fit. Pure: the same view gives the same lines. */
export function renderFleetView(
  { health, served, webhooks, nowMs }: FleetView,
  columns: number,
): readonly string[] {
  const [counts = '', ...lines] = fleetLines(health, served)
  const warnings = webhooks === null ? [] : webhookWarnings(webhooks, nowMs)
  return [...broken(counts, columns), ...lines, ...warnings.map((text) => `! ${text}`)].map((line) =>
    fitLine(line, columns),
  )
}
