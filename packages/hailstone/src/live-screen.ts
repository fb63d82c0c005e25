import { plainText } from '@hailstone/protocol'
import type { Terminal } from './terminal.ts'

/** A few lines that are drawn over and over in the same place. */
export type LiveScreen = {
  /** Requests a redraw. */
  readonly changed: () => void
  /** Writes a line above the others, where it stays. */
  readonly print: (line: string) => void
  /** Draws for the last time and leaves the lines standing. */
  readonly stop: () => void
}

const SHORTEST_PAUSE_MS = 250
/** Redraw interval in ms, since ages on the screen grow. */
const LONGEST_PAUSE_MS = 1_000

const HIDE_CURSOR = '\u001b[?25l'
export const SHOW_CURSOR = '\u001b[?25h'
const CLEAR_TO_END = '\u001b[J'
const upBy = (lines: number): string => (lines > 0 ? `\u001b[${lines}A\r` : '\r')

/** Cuts a line to the columns of a screen: one that is wrapped cannot be drawn in the same place again. */
export const fitLine = (text: string, columns: number): string =>
  plainText(text.length < columns ? text : `${text.slice(0, columns - 2)}…`)

/** Redraws at most four times a second, and writes only lines that changed. */
export function createLiveScreen(
  terminal: Pick<Terminal, 'write' | 'columns'>,
  render: (columns: number) => readonly string[],
): LiveScreen {
  let drawn: readonly string[] = []
  let drawnAt = Number.NEGATIVE_INFINITY
  let pending: NodeJS.Timeout | null = null

  function draw(): void {
    pending = null
    drawnAt = performance.now()
    const lines = render(terminal.columns())
    if (lines.join('\n') === drawn.join('\n')) return
    terminal.write(
      `${drawn.length === 0 ? HIDE_CURSOR : upBy(drawn.length)}${CLEAR_TO_END}${lines.join('\n')}\n`,
    )
    drawn = lines
  }

  const changed = (): void => {
    pending ??= setTimeout(draw, Math.max(0, drawnAt + SHORTEST_PAUSE_MS - performance.now()))
  }
  const ageing = setInterval(changed, LONGEST_PAUSE_MS)
  draw()
  return {
    changed,
    print: (line) => {
      terminal.write(`${upBy(drawn.length)}${CLEAR_TO_END}${line}\n`)
      drawn = []
      draw()
    },
    stop: () => {
      clearInterval(ageing)
      if (pending !== null) clearTimeout(pending)
      draw()
      terminal.write(SHOW_CURSOR)
    },
  }
}
