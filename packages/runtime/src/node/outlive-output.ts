let isOutliving = false

/**
 * Lets a program go on when its output cannot be written: the reader of a pipe has gone, or the disk of its log is full.
 * Lines are lost until there is room again. Without it Node ends the process with a stack.
 */
export function outliveOutput(): void {
  if (isOutliving) return
  isOutliving = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
