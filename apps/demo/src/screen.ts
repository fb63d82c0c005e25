import logUpdate from 'log-update'
import { createNoteList } from './note-list.ts'
import { type DemoView, renderView } from './view.ts'

/** Shows the demo: a live screen in a terminal, plain lines elsewhere. */
export type Screen = {
  readonly note: (line: string) => void
  readonly stop: () => void
}

/** More than any terminal shows. */
const NOTES_KEPT = 100

const clockText = (): string => new Date().toTimeString().slice(0, 8)

function liveScreen(read: () => DemoView): Screen {
  const notes = createNoteList({ limit: NOTES_KEPT })
  // The line below the last one is the cursor's.
  const rows = (): number => process.stdout.rows - 1
  const draw = (): void => logUpdate(renderView(read(), { rows: rows(), notes: notes.newest(NOTES_KEPT) }))
  const timer = setInterval(draw, 250)
  let isOver = false
  draw()
  return {
    note: (line) => notes.add(`${clockText()}  ${line}`),
    stop: () => {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      draw()
      logUpdate.done()
    },
  }
}

function plainScreen(read: () => DemoView): Screen {
  for (const [label, url] of read().urls) console.log(`${label.padEnd(14)} ${url}`)
  console.log('')
  return {
    note: (line) => console.log(`${clockText()}  ${line}`),
    stop: () => undefined,
  }
}

/** A terminal that does not say how large it is cannot be drawn on. */
const isDrawable = ({ isTTY, columns, rows }: NodeJS.WriteStream): boolean =>
  isTTY === true && columns > 0 && rows > 0

export const createScreen = (read: () => DemoView): Screen =>
  isDrawable(process.stdout) ? liveScreen(read) : plainScreen(read)
