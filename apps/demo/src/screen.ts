import { readFileSync } from 'node:fs'
import { plainText } from '@hailstone/protocol'
import { createNoteList } from './note-list.ts'
import { type DemoView, renderPages, renderView } from './view.ts'

/** Shows the demo: a live screen in a terminal, plain lines elsewhere. */
export type Screen = {
  readonly note: (line: string) => void
  readonly stop: () => void
}

/** More than any terminal shows. */
const NOTES_KEPT = 100
const REDRAW_MS = 250

/**
 * The alternate screen, as editors use it: every frame is drawn over the one before, nothing of it gets into the
 * scrollback, and the lines that were printed before come back at the end.
 */
const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'
const INTERRUPT = '\u0003'
const SUSPEND = '\u001a'

const clockText = (): string => new Date().toTimeString().slice(0, 8)

/** True if keys that are typed reach this process: reading them in the background would stop it. */
function isInForeground(): boolean {
  if (process.stdin.isTTY !== true) return false
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [processGroup, foregroundGroup] = [fields[2], fields[5]]
    return processGroup === foregroundGroup
  } catch {
    // Not Linux: nothing says so, and keys are left to the shell.
    return false
  }
}

/** Calls back for each key until the returned function is called. Ctrl-C stays what it is: a signal to this process. */
function readKeys(onKey: () => void, isWanted: (key: string) => boolean): () => void {
  const { stdin } = process
  const take = (typed: Buffer): void => {
    const keys = typed.toString('utf8')
    if (keys.includes(INTERRUPT)) process.kill(process.pid, 'SIGINT')
    else if (keys.includes(SUSPEND)) process.kill(process.pid, 'SIGTSTP')
    else if (isWanted(keys)) onKey()
  }
  stdin.setRawMode(true)
  stdin.on('data', take)
  stdin.resume()
  return () => {
    stdin.off('data', take)
    stdin.setRawMode(false)
    stdin.pause()
  }
}

function liveScreen(read: () => DemoView, accounts: string): Screen {
  const { stdout } = process
  const notes = createNoteList({ limit: NOTES_KEPT })
  const isInteractive = isInForeground()
  let page: number | null = null
  const size = (): { readonly columns: number; readonly rows: number } => ({
    columns: stdout.columns || 80,
    rows: stdout.rows || 24,
  })
  const frame = (): readonly string[] =>
    (page === null ? undefined : renderPages(accounts, size())[page]) ??
    renderView(read(), { ...size(), notes: notes.newest(NOTES_KEPT), isInteractive })
  const draw = (): void => {
    const lines = frame().map((line) => line + CLEAR_LINE)
    stdout.write(`${HOME}${lines.join('\r\n')}${CLEAR_BELOW}`)
  }
  const turn = (): void => {
    const next = page === null ? 0 : page + 1
    page = next < renderPages(accounts, size()).length ? next : null
    draw()
  }
  const leaveKeys = isInteractive ? readKeys(turn, (key) => page !== null || key === 'k') : () => undefined
  stdout.write(ENTER)
  const timer = setInterval(draw, REDRAW_MS)
  stdout.on('resize', draw)
  let isOver = false
  const leave = (): void => void stdout.write(LEAVE)
  // A process that ends in the middle leaves a usable terminal all the same.
  process.on('exit', leave)
  draw()
  return {
    note: (line) => notes.add(`${clockText()}  ${plainText(line)}`),
    stop: () => {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      stdout.off('resize', draw)
      leaveKeys()
      process.off('exit', leave)
      page = null
      leave()
      // Without the line about keys, which nobody reads any more.
      stdout.write(`${frame().slice(0, -1).join('\n')}\n`)
    },
  }
}

function plainScreen(read: () => DemoView): Screen {
  for (const [label, url] of read().urls) console.log(`${label.padEnd(14)} ${url}`)
  console.log('')
  return {
    note: (line) => console.log(`${clockText()}  ${plainText(line)}`),
    stop: () => undefined,
  }
}

/** A terminal that does not say how large it is cannot be drawn on. */
const isDrawable = ({ isTTY, columns, rows }: NodeJS.WriteStream): boolean =>
  isTTY === true && columns > 0 && rows > 0

/**
 * Opens the screen.
 *
 * @param accounts table of the funded accounts, shown again by a key press
 */
export const createScreen = (read: () => DemoView, accounts: string): Screen =>
  isDrawable(process.stdout) ? liveScreen(read, accounts) : plainScreen(read)
