import type { JsonValue } from '@hailstone/protocol'
import type { HttpFaults } from './fault-script.ts'
import type { SeededRandom } from './seeded-random.ts'

type History = { readonly records: readonly JsonValue[]; readonly page_count?: JsonValue }

/** The newest page with records that each history answered. */
export type RecordMemory = Map<string, readonly JsonValue[]>

export const createRecordMemory = (): RecordMemory => new Map()

const isHistory = (value: JsonValue): value is History & { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && 'records' in value && Array.isArray(value.records)

/** Without the page, so that all pages of one history share a memory. */
const historyOf = (url: string): string => url.replace(/([?&])page=[^&]*/, '$1')

function shuffled(records: readonly JsonValue[], random: SeededRandom): readonly JsonValue[] {
  const copy = [...records]
  for (let at = copy.length - 1; at > 0; at--) {
    const other = random.integer(0, at)
    const moved = copy[at] as JsonValue
    copy[at] = copy[other] as JsonValue
    copy[other] = moved
  }
  return copy
}

/** Lists of a history that do not fit together: an answer without records is left as it is. */
export function changeRecords(parameters: {
  readonly kind: HttpFaults['records']
  readonly value: JsonValue
  readonly url: string
  readonly memory: RecordMemory
  readonly random: SeededRandom
}): JsonValue {
  const { kind, value, url, memory, random } = parameters
  if (!isHistory(value)) return value
  const { records } = value
  const before = memory.get(historyOf(url)) ?? []
  if (records.length > 0) memory.set(historyOf(url), records)
  const first = records.slice(0, 1)
  switch (kind) {
    case 'repeat':
      return { ...value, records: [...first, ...records] }
    case 'skip': {
      const left = random.integer(0, Math.max(0, records.length - 1))
      return { ...value, records: records.filter((_, at) => at !== left) }
    }
    case 'reorder':
      return { ...value, records: shuffled(records, random) }
    case 'overlap':
      return { ...value, records: [...before.slice(-1), ...records] }
    case 'endless': {
      const page = BigInt(/[?&]page=(\d{1,15})/.exec(url)?.[1] ?? 0)
      return { ...value, records: records.length > 0 ? records : before, page_count: page + 2n }
    }
  }
}
