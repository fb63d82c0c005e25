import { styleText } from 'node:util'
import { formatAmount } from '@hailstone/mining-node'

/** What the screen knows of one participant. */
export type ParticipantView = {
  readonly name: string
  readonly address: string
  readonly status: string
  readonly why: string
  readonly signed: number
  readonly included: number
  /** Native units; null as long as nothing was read. */
  readonly balance: bigint | null
  readonly rewards: bigint
  readonly referralRewards: bigint
}

export type DemoView = {
  readonly height: number | null
  readonly blockTimeMs: number
  readonly blockAgeMs: number | null
  readonly symbol: string
  readonly decimals: number
  readonly urls: ReadonlyArray<readonly [label: string, url: string]>
  readonly participants: readonly ParticipantView[]
}

const NOTES_AT_MOST = 10
const NOTES_AT_LEAST = 2

const coins = (view: DemoView, units: bigint | null): string =>
  units === null ? '—' : formatAmount(units, { decimals: view.decimals })

function statusText({ status }: ParticipantView): string {
  return styleText(status === 'mining' ? 'green' : 'yellow', status.padEnd(9))
}

function participantLines(view: DemoView, participant: ParticipantView): readonly string[] {
  const { name, address, why, signed, included, balance, rewards, referralRewards } = participant
  return [
    `${styleText('bold', name.padEnd(6))} ${address.slice(0, 10)}…  ${statusText(participant)} ${styleText('dim', why)}`,
    `       signed ${signed}, included ${included}   balance ${coins(view, balance)} ${view.symbol}`,
    `       rewards ${coins(view, rewards)}   referral rewards ${coins(view, referralRewards)} ${view.symbol}`,
  ]
}

function chainLine(view: DemoView): string {
  const age = view.blockAgeMs === null ? '—' : `${Math.floor(view.blockAgeMs / 1000)} s ago`
  return `height ${view.height ?? '—'}   last block ${age}   a block every ${view.blockTimeMs / 1000} s`
}

/**
 * The whole live screen as text. Pure: the same view gives the same lines.
 *
 * @param parameters.rows of the terminal; notes give way first
 */
export function renderView(
  view: DemoView,
  { rows, notes }: { readonly rows: number; readonly notes: readonly string[] },
): string {
  const above = [
    `${styleText(['bold', 'cyan'], 'Hailstone')}  ${chainLine(view)}`,
    '',
    ...view.participants.flatMap((participant) => [...participantLines(view, participant), '']),
    ...view.urls.map(([label, url]) => `${label.padEnd(14)} ${styleText('underline', url)}`),
    '',
  ]
  const below = ['', 'Ctrl-C stops everything.']
  const free = rows - above.length - below.length
  const shown = notes.slice(-Math.min(NOTES_AT_MOST, Math.max(NOTES_AT_LEAST, free)))
  return [...above, ...shown.map((line) => styleText('dim', line)), ...below].join('\n')
}
