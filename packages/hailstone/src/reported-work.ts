import { type AnswersQuestion, workOf } from '@hailstone/mining-node/why'

export type Work = Pick<AnswersQuestion, 'work' | 'onlineMs'>

export const unknownWork = (why: string): Work => ({ work: { why }, onlineMs: { why } })

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isTime = (value: unknown): value is number => Number.isFinite(value)

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function countsOf(publications: unknown): ReturnType<typeof workOf> | null {
  const { late, ...given } = { late: 0, ...Object(publications) }
  const { published, refused, missed, included } = given
  if (![published, refused, missed, included, late].every(isCount)) return null
  return workOf({ published, refused, missed, included, late })
}

function connectedMs(connected: unknown, nowMs: number): number | null {
  const { beforeMs, sinceMs } = Object(connected)
  if (!isTime(beforeMs) || !(sinceMs === null || isTime(sinceMs))) return null
  return beforeMs + (sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs))
}

/**
 * Reads the work of a miner from its answer to `/status`. After a restart another process may have its port, and the miner
 * may mine another token than the one asked about: figures of others are unknown ones.
 *
 * @param asked.nowMs Unix milliseconds
 */
export function reportedWork(
  text: string,
  asked: { readonly address: string; readonly tokenId: string; readonly nowMs: number },
): Work {
  const { address, tokenId, publications, connected } = membersOf(text)
  if (address !== asked.address)
    return unknownWork('what answers on the health port of the miner that runs here is not this miner')
  if (tokenId !== asked.tokenId) return unknownWork('the miner that runs here mines another token')
  const why = 'the miner that runs here does not report it'
  return {
    work: countsOf(publications) ?? { why },
    onlineMs: connectedMs(connected, asked.nowMs) ?? { why },
  }
}
