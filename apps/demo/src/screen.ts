import logUpdate from 'log-update'
import { type DemoView, renderView } from './view.ts'

/** Shows the demo: a live screen in a terminal, plain lines elsewhere. */
export type Screen = {
  readonly note: (line: string) => void
  readonly stop: () => void
}

const clockText = (): string => new Date().toTimeString().slice(0, 8)

function liveScreen(read: () => DemoView, lines: string[]): Screen {
  const draw = (): void => logUpdate(renderView(read()))
  const timer = setInterval(draw, 250)
  draw()
  return {
    note: (line) => void lines.push(`${clockText()}  ${line}`),
    stop: () => {
      if (!timer.hasRef()) return
      clearInterval(timer)
      timer.unref()
      draw()
      logUpdate.done()
    },
  }
}

function plainScreen(read: () => DemoView, lines: string[]): Screen {
  for (const [label, url] of read().urls) console.log(`${label.padEnd(14)} ${url}`)
  return {
    note: (line) => {
      lines.push(line)
      console.log(`${clockText()}  ${line}`)
    },
    stop: () => undefined,
  }
}

export const createScreen = (read: () => DemoView, lines: string[]): Screen =>
  process.stdout.isTTY === true ? liveScreen(read, lines) : plainScreen(read, lines)
