/** Fields of one line: flat, and never a secret. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | null>>

type Log = (message: string, fields?: LogFields) => void

/** A constant message and its fields, at four levels. Without one the library is silent. */
export type Logger = { readonly debug: Log; readonly info: Log; readonly warn: Log; readonly error: Log }

const nothing: Log = () => undefined

export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
