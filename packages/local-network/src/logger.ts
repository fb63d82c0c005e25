/** Fields of a log line by name. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>

/** A constant message and flat fields. Private keys never stand in either. */
export type Logger = {
  /** What helps to find a fault in this program. */
  readonly debug: (message: string, fields?: LogFields) => void
  /** What happened, such as a macroblock that was closed. */
  readonly info: (message: string, fields?: LogFields) => void
  /** What went wrong and is dealt with. */
  readonly warn: (message: string, fields?: LogFields) => void
  /** What went wrong and needs somebody. */
  readonly error: (message: string, fields?: LogFields) => void
}

const nothing = (): void => {}

export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Returns one line for anything thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
