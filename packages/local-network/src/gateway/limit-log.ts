import type { Logger } from '../logger.ts'

const SPAN_MS = 10_000
const MOST = 10

/**
 * Passes on ten warnings of one kind in ten seconds. Writing a line for each of a flood of messages would cost more than
 * the messages.
 */
export function limitLog(logger: Logger, now: () => number = () => performance.now()): Logger {
  const kinds = new Map<string, { sinceMs: number; count: number }>()
  const warn: Logger['warn'] = (message, fields) => {
    const kind = kinds.get(message)
    if (kind === undefined || now() - kind.sinceMs >= SPAN_MS) {
      const omitted = Math.max(0, (kind?.count ?? 0) - MOST)
      kinds.set(message, { sinceMs: now(), count: 1 })
      logger.warn(message, omitted === 0 ? fields : { ...fields, omittedBefore: omitted })
      return
    }
    kind.count++
    if (kind.count <= MOST) logger.warn(message, fields)
  }
  return { ...logger, warn }
}
