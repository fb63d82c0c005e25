import { isatty } from 'node:tty'

/**
 * True for a process without a terminal, which no window takes along: `nohup` runs such, and Node forgets at its start
 * that `nohup` had SIGHUP ignored. Shells name the program they run in the variable `_`.
 */
export const isDetached = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  /(?:^|\/)nohup$/.test(environment['_'] ?? '') || ![0, 1, 2].some(isatty)

type Blocking = { readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => void } | null }

/**
 * Lets a program go on while its terminal takes nothing: after Ctrl-S, or when the connection to it hangs. Node writes to
 * terminals before it does anything else.
 */
export function unblockTerminal(): void {
  for (const stream of [process.stdout, process.stderr])
    if (stream.isTTY) (stream as Blocking)._handle?.setBlocking?.(false)
}

let isOutliving = false

/**
 * Lets a program go on when its output cannot be written, since the reader of a pipe has gone or the disk of its log is
 * full, and when its window closes, if it is detached. Lines are lost until there is room again. Without it Node ends the
 * process, with a stack or at SIGHUP.
 */
export function outliveTerminal(): void {
  if (isOutliving) return
  isOutliving = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  unblockTerminal()
  if (isDetached(process.env)) process.on('SIGHUP', () => {})
}
