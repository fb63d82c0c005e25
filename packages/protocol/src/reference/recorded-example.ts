/** A recorded exchange as text. The reference shows it and takes examples of members from it. */
export type RecordedExample = {
  /** Origin of the recording. */
  readonly source: string
  /** The query without the question mark. */
  readonly query: string
  readonly body?: string | undefined
  /** Long lists are cut to their first entries. */
  readonly answer: string
}

const MAX_EXAMPLES = 2

/** Returns every value at a path of a JSON value; paths are those of the wire schema. */
function valuesAt(value: unknown, steps: readonly string[]): readonly unknown[] {
  const [step, ...rest] = steps
  if (step === undefined) return [value]
  if (step === '[]') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : []
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  if (step.startsWith('('))
    return `(${String((value as { type?: unknown }).type)})` === step ? valuesAt(value, rest) : []
  if (step === '*') return Object.values(value).flatMap((member) => valuesAt(member, rest))
  return step in value ? valuesAt((value as Record<string, unknown>)[step], rest) : []
}

/** `mblocks[].hash` → `mblocks`, `[]`, `hash`; `[](tx).info` → `[]`, `(tx)`, `info`. */
const stepsOf = (path: string): readonly string[] => path.match(/\[\]|\([^)]*\)|[^.[\]()]+/g) ?? []

/**
 * Returns distinct values of a member in JSON values; null only if there are no others. Undefined for members that
 * contain others, whose own examples say more, and for members that never occurred.
 */
export function examplesAt(values: readonly unknown[], path: string): readonly unknown[] | undefined {
  const found = values.flatMap((value) => valuesAt(value, stepsOf(path)))
  const leaves = found.filter((value) => typeof value !== 'object' || value === null)
  const reported = leaves.filter((value) => value !== null)
  const distinct = [
    ...new Map((reported.length > 0 ? reported : leaves).map((value) => [String(value), value])).values(),
  ]
  return distinct.length === 0 ? undefined : distinct.slice(0, MAX_EXAMPLES)
}
