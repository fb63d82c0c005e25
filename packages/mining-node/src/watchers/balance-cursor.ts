import { type Amount, isAmount, isNodeError, parseJson, stringifyJson } from '@hailstone/protocol'

/** The last balance that was told. */
export type BalanceCursor = { readonly amount: Amount; readonly isKnown: boolean }

export const formatBalanceCursor = ({ amount, isKnown }: BalanceCursor): string =>
  stringifyJson({ version: 1, amount: amount.toString(), isKnown })

/** Null for what this version did not write: then the next reading is the first. */
export function parseBalanceCursor(text: string | null): BalanceCursor | null {
  const { amount, isKnown } = membersOf(text)
  if (typeof amount !== 'string' || !/^\d{1,20}$/.test(amount) || typeof isKnown !== 'boolean') return null
  const units = BigInt(amount)
  return isAmount(units) ? { amount: units, isKnown } : null
}

/** The members of a JSON object of version 1; none of anything else. */
export function membersOf(text: string | null): { readonly [name: string]: unknown } {
  try {
    const value = text === null ? null : parseJson(text)
    const members = typeof value === 'object' && value !== null ? (value as { version?: unknown }) : {}
    return members.version === 1n ? members : {}
  } catch (error) {
    if (isNodeError(error)) return {}
    throw error
  }
}
