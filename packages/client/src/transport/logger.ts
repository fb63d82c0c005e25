import { guarded } from '@hailstone/runtime'

/** Fields of one line: flat, and never a secret. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | null>>

type Log = (message: string, fields?: LogFields) => void

/** A constant message and its fields, at four levels. Without one the library is silent. */
export type Logger = {
  /** What helps to find a fault in a program. */
  readonly debug: Log
  /** What happened, such as a transaction that was found after a lost answer. */
  readonly info: Log
  /** What went wrong and is dealt with. */
  readonly warn: Log
  /** What went wrong and needs somebody. */
  readonly error: Log
}

/** A logger that never throws: what the program's own one throws is reported nowhere. Without one it is silent. */
export function guardedLogger(logger: Logger | undefined): Logger {
  const at = (level: keyof Logger): Log => guarded((...line) => logger?.[level](...line))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Returns a function that logs what a listener of that name threw. */
export const logFailure =
  (logger: Logger, listener: string) =>
  (cause: unknown): void =>
    logger.error('a listener failed', {
      listener,
      reason: cause instanceof Error ? cause.message : String(cause),
    })
