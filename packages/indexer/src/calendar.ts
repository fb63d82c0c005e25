const HOUR_SECONDS = 3600

/** Hour and day of a chain, which never go back although block times may. */
export type ChainTime = { readonly hour: number; readonly day: number }

/** Returns the chain time of a key block after one of chain hour `hourBefore`. */
export function chainTime(time: number, hourBefore: number): ChainTime {
  const hour = Math.max(Math.floor(time / HOUR_SECONDS), hourBefore)
  return { hour, day: Math.floor(hour / 24) }
}

/** Returns the week of a day, counted from Monday, 1969-12-29. */
export const weekOf = (day: number): number => Math.floor((day + 3) / 7)
