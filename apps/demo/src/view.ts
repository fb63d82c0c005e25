import { stripVTControlCharacters, styleText } from 'node:util'
import { amountText, plainText } from '@hailstone/protocol'
import sliceAnsi from 'slice-ansi'

/** State of one participant, for the screen. */
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
/** What two participants have to say of one block: with fewer lines it may never be seen that one earned. */
const NOTES_OF_A_BLOCK = 6

const coins = (view: DemoView, units: bigint | null): string =>
  units === null ? '—' : amountText(units, { language: 'en', decimals: view.decimals })

function statusText({ status }: ParticipantView): string {
  return styleText(status === 'mining' ? 'green' : 'yellow', status.padEnd(9))
}

function participantLines(view: DemoView, participant: ParticipantView): readonly string[] {
  const { name, address, why, signed, included, balance, rewards, referralRewards } = participant
  return [
    `${styleText('bold', name.padEnd(6))} ${address.slice(0, 10)}…  ${statusText(participant)} ${styleText('dim', plainText(why))}`,
    `       signed ${signed}, included ${included}   balance ${coins(view, balance)} ${plainText(view.symbol)}`,
    `       rewards ${coins(view, rewards)}   referral rewards ${coins(view, referralRewards)} ${plainText(view.symbol)}`,
  ]
}

function chainLine(view: DemoView): string {
  const age = view.blockAgeMs === null ? '—' : `${Math.floor(view.blockAgeMs / 1000)} s ago`
  return `height ${view.height ?? '—'}   last block ${age}   a block every ${view.blockTimeMs / 1000} s`
}

/** Size of a terminal, in characters. */
export type TerminalSize = { readonly columns: number; readonly rows: number }

/**
 * Cuts lines to the width of the terminal: a line that wraps would push others out of the screen. A cut line ends in an
 * ellipsis, since the first digits of a number look like a number.
 */
export const fitWidth = (lines: readonly string[], columns: number): readonly string[] =>
  lines.map((line) =>
    stripVTControlCharacters(line).length > columns ? `${sliceAnsi(line, 0, columns - 1)}…` : line,
  )

const FOOTER = 'k shows the accounts and their keys, Ctrl-C stops everything.'

/**
 * Draws the live screen as lines that fit the terminal. The height stands first and stays; where rows are scarce the
 * older notes give way, then the blank lines, then all notes, the addresses of the services, and the details of the
 * participants. Pure.
 *
 * @param parameters.isInteractive true if keys are read, so that the footer names them
 */
export function renderView(
  view: DemoView,
  parameters: TerminalSize & { readonly notes: readonly string[]; readonly isInteractive: boolean },
): readonly string[] {
  const { columns, rows, notes, isInteractive } = parameters
  const head = [`${styleText(['bold', 'cyan'], 'Hailstone')}  ${chainLine(view)}`]
  const urls = view.urls.map(([label, url]) => `${label.padEnd(14)} ${styleText('underline', url)}`)
  const people = view.participants.map((participant) => participantLines(view, participant))
  const foot = [isInteractive ? FOOTER : 'Ctrl-C stops everything.']
  const spacious = [...head, '', ...people.flatMap((lines) => [...lines, '']), ...urls, '']
  const dense = [...head, ...people.flat(), ...urls]
  const bare = [...head, ...people.flatMap((lines) => lines.slice(0, 2))]
  const roomFor = (lines: readonly string[]): number => rows - lines.length - foot.length
  const above =
    roomFor(spacious) >= NOTES_OF_A_BLOCK
      ? spacious
      : ([dense, bare].find((lines) => roomFor(lines) > 0) ?? head)
  const free = Math.min(NOTES_AT_MOST, roomFor(above))
  const shown = free > 0 ? notes.slice(-free).map((line) => styleText('dim', line)) : []
  return fitWidth([...above, ...shown, ...foot], columns).slice(0, rows)
}

/**
 * Splits the table of accounts into pages that fit the terminal. Lines are wrapped, never cut: a key has to be copied
 * whole. Pure.
 */
export function renderPages(table: string, { columns, rows }: TerminalSize): readonly (readonly string[])[] {
  const lines = table.split('\n').flatMap((line) => wrap(line, columns))
  const perPage = Math.max(1, rows - 1)
  const pages: (readonly string[])[] = []
  for (let from = 0; from < lines.length; from += perPage) {
    const isLast = from + perPage >= lines.length
    const foot = styleText('bold', isLast ? 'Any key goes back.' : 'Any key shows more.')
    pages.push([...lines.slice(from, from + perPage), ...fitWidth([foot], columns)])
  }
  return pages
}

/** Breaks at a blank in the second half of the width if there is one, so that prose stays legible and keys stay whole. */
function wrap(line: string, columns: number): readonly string[] {
  if (line.length <= columns) return [line]
  const blank = line.lastIndexOf(' ', columns)
  const end = blank > columns / 2 ? blank : columns
  return [line.slice(0, end), ...wrap(line.slice(end).replace(/^ /, ''), columns)]
}
