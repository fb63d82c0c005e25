import { UsageError } from './usage-error.ts'

const unitsMs = { ms: 1, s: 1_000, m: 60_000 } as const

/** A time such as `2s`, `500ms` or `1m`, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = Number(digits) * (unitsMs[unit as keyof typeof unitsMs] ?? Number.NaN)
  if (ms >= 100 && ms <= 3_600_000) return ms
  throw new UsageError(`${option} should be a time from 100ms to 60m, such as 15s.`)
}

export function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`${option} should be a port from 0 to 65535.`)
}

/** A host and a port such as `0.0.0.0:4430`; a port alone is one of 127.0.0.1. */
export function parsePlace(option: string, text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d+)$/i.exec(text) ?? []
  if (port === undefined)
    throw new UsageError(`${option} should be a port, or a host and a port: 0.0.0.0:4430.`)
  return { host: (host ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port: parsePort(option, port) }
}

export function parseCount(option: string, text: string, least: number): number {
  const count = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least) return count
  throw new UsageError(`${option} should be a whole number from ${least} on.`)
}

/** One of a few words. */
export function parseWord<const W extends string>(option: string, text: string, words: readonly W[]): W {
  const word = words.find((known) => known === text)
  if (word !== undefined) return word
  throw new UsageError(`${option} should be one of: ${words.join(', ')}.`)
}

/** Returns the value of a required option. */
export function required<T>(option: string, value: T | undefined): T {
  if (value !== undefined) return value
  throw new UsageError(`${option} is needed.`)
}
