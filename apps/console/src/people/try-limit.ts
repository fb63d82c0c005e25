/** Limit of tries in a window of time, for each key. */
export type TryLimit = {
  /** Counts a try. Returns 0, or the ms until the next one is free; then nothing is counted. */
  readonly take: (key: string) => number
  /** Removes the newest try. */
  readonly giveBack: (key: string) => void
  /** Removes the tries of a key. */
  readonly clear: (key: string) => void
}

/** Keys in memory; beyond it the oldest are forgotten. */
const MAX_KEYS = 10_000

export function createTryLimit(parameters: {
  readonly tries: number
  readonly windowMs: number
  readonly now: () => number
}): TryLimit {
  const { tries, windowMs, now } = parameters
  const times = new Map<string, readonly number[]>()
  const recent = (key: string): readonly number[] =>
    (times.get(key) ?? []).filter((time) => time > now() - windowMs)
  return {
    take(key) {
      const before = recent(key)
      const [oldest] = before
      if (oldest !== undefined && before.length >= tries) return Math.max(1, oldest + windowMs - now())
      times.delete(key)
      times.set(key, [...before, now()])
      const [first] = times.keys()
      if (times.size > MAX_KEYS && first !== undefined) times.delete(first)
      return 0
    },
    giveBack(key) {
      times.set(key, recent(key).slice(0, -1))
    },
    clear: (key) => void times.delete(key),
  }
}

/** Returns the key of an address: all addresses of one network of IPv6 (64 bits, or `groupCount` times 16) are one. */
export function addressKey(address: string, groupCount = 4): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const after = (tail ?? '').split(':').filter((group) => group !== '')
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...after]
    .slice(0, groupCount)
    .join(':')
}
