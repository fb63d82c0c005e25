import type { Logger } from '@hailstone/local-network'

const nothing = (): void => undefined

/** Message of the network when a macroblock cannot be stored. All others say nothing about the chain. */
const STOPPED = 'the macroblock could not be closed'

/** Failures inside the network, such as a full disk, for the person who watches the demo. */
export type Trouble = {
  readonly logger: Logger
  /** Says from now on through `note` what is told. */
  readonly tellTo: (note: (line: string) => void) => void
  /** Called when a macroblock was closed: trouble with that is over, and is told again when it comes back. */
  readonly isOver: () => void
}

/** Returns a logger that prints each error message once; the network repeats an error every second while it lasts. */
export function tellTrouble(): Trouble {
  let tell = (line: string): void => console.error(line)
  const reported = new Set<string>()
  return {
    logger: {
      debug: nothing,
      info: nothing,
      warn: nothing,
      error(message, fields = {}) {
        const { reason } = fields
        // A full disk has another reason for each file that it concerns.
        if (!reported.has(message))
          tell(`The network: ${message}${reason === undefined ? '' : `: ${reason}`}`)
        reported.add(message)
      },
    },
    tellTo(note) {
      tell = note
    },
    isOver() {
      if (reported.delete(STOPPED)) tell('The network closes macroblocks again')
    },
  }
}
