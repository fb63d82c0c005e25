import { fstatSync, writeSync } from 'node:fs'
import { systemCause } from '@hailstone/runtime/node'

/** Lines that could not be written. */
export type LostLines = {
  /** Since the start of the process. */
  readonly lines: number
  /** Why the last ones were lost, in words; null while none was. */
  readonly why: string | null
}

/** One of the streams of a process. A line that it does not take is lost and counted; nothing waits for it. */
export type Output = {
  readonly write: (text: string) => void
  readonly lost: () => LostLines
  /** From now on lines are lost, too, whose reader is far behind: whoever writes goes on for weeks. */
  readonly outlive: () => void
}

export type OutputStream = {
  readonly fd: number
  readonly writableLength: number
  readonly write: (text: string, taken: (error?: Error | null) => void) => unknown
}

/** Text that waits for a reader, in characters, after which lines are lost. */
const MOST_WAITING = 1_048_576

/** True for an error that says that nobody reads a stream any more. All others pass: disks get room again. */
export const isReaderGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE'

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/**
 * Writes to a file. A stream of Node writes what fits on a full disk and does not say what did not.
 *
 * @returns the error that ended it, if any, and whether a part was written before
 */
function writeWhole(descriptor: number, text: string): { readonly error: unknown; readonly isTorn: boolean } {
  const bytes = Buffer.from(text)
  let at = 0
  try {
    while (at < bytes.length) at += writeSync(descriptor, bytes, at)
    return { error: null, isTorn: false }
  } catch (error) {
    return { error, isTorn: at > 0 }
  }
}

const linesIn = (text: string): number => Math.max(1, text.split('\n').length - 1)

/**
 * Writes to a stream of this process.
 *
 * @param parameters.notice line that is written before the first one that is taken again
 * @param parameters.onLoss called when lines begin to be lost
 */
export function createOutput(parameters: {
  readonly stream: () => OutputStream
  readonly notice: (lost: LostLines) => string
  readonly onLoss: (why: string) => void
}): Output {
  const { stream, notice, onLoss } = parameters
  let lost: LostLines = { lines: 0, why: null }
  let told = 0
  let isEndless = false
  let isTorn = false

  function lose(text: string, why: string): void {
    const isFirst = lost.lines === told
    lost = { lines: lost.lines + linesIn(text), why }
    if (isFirst) onLoss(why)
  }

  /** The line about lost ones counts as told until what it stood before turns out to be lost as well. */
  function settle(text: string, toldBefore: number, error: unknown): void {
    if (error === null || error === undefined) return
    told = Math.min(told, toldBefore)
    if (!isReaderGone(error)) lose(text, systemCause(String((error as NodeJS.ErrnoException).code)))
  }

  function write(text: string): void {
    const target = stream()
    if (isEndless && target.writableLength > MOST_WAITING) {
      lose(text, 'nobody reads it')
      return
    }
    const toldBefore = told
    const news = lost.lines === told ? '' : notice({ ...lost, lines: lost.lines - told })
    told = lost.lines
    // A line that was written in part ends here.
    const whole = `${isTorn ? '\n' : ''}${news}${text}`
    if (!isFile(target.fd)) {
      target.write(whole, (error) => settle(text, toldBefore, error))
      return
    }
    const done = writeWhole(target.fd, whole)
    isTorn = done.error !== null && (isTorn || done.isTorn)
    settle(text, toldBefore, done.error)
  }

  return {
    write,
    lost: () => lost,
    outlive: () => {
      isEndless = true
    },
  }
}
