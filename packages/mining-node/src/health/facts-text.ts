import { isNodeError } from '@hailstone/protocol'

/** Amounts as text, errors as code and sentence: whatever else an error holds is not shown. */
const plain = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (isNodeError(value)) return { code: value.code, message: value.message }
  if (value instanceof Error) return { code: 'UNEXPECTED', message: value.name }
  return value
}

/** Facts as one line of JSON for machines: amounts are texts of units, so that none is rounded. */
export const factsText = (facts: unknown): string => `${JSON.stringify(facts, plain)}\n`
