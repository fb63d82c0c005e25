import {
  decodeWith,
  formatAmount,
  type JsonValue,
  NodeError,
  parseAmount,
  parseJson,
} from '@hailstone/protocol'
import { amount, orNull } from '@hailstone/protocol/schema'
import { asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check, CheckContext, Outcome } from '../check.ts'
import { textOrNull } from '../ledger-reading.ts'
import { postedAmountOutcomes } from './amounts-wire.ts'

const errorWords: Readonly<Record<string, string>> = {
  AMOUNT_MALFORMED: 'format',
  AMOUNT_TOO_PRECISE: 'precision',
  AMOUNT_OUT_OF_RANGE: 'range',
}

function parsed(given: Case): { readonly units: string | null; readonly error: string | null } {
  try {
    return {
      units: parseAmount(asText(given.text), { decimals: Number(given.decimals) }).toString(),
      error: null,
    }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return { units: null, error: errorWords[error.code] ?? error.code }
  }
}

function apiInteger(given: Case): JsonValue {
  const decoded = decodeWith(orNull(amount), parseJson(asText(given.json)))
  if (!decoded.ok) throw new Error(decoded.problem.reason)
  return decoded.value === null ? null : decoded.value.toString()
}

function compare(given: Case): readonly (string | null)[] {
  if (given.op === 'parse_api_integer')
    return [difference('units', textOrNull(given.units), apiInteger(given))]
  if (given.op === 'format') {
    const text = formatAmount(BigInt(asText(given.units)), { decimals: Number(given.decimals) })
    return [difference('text', given.text, text)]
  }
  if (given.op !== 'parse') return [`the operation ${asText(given.op)} is not known`]
  const { units, error } = parsed(given)
  return given.error === undefined
    ? [difference('units', textOrNull(given.units), units), difference('error', null, error)]
    : [difference('error', given.error, error)]
}

async function run(file: JsonValue, context: CheckContext): Promise<readonly Outcome[]> {
  const cases = casesOf(file)
  const posted = await postedAmountOutcomes(
    cases.filter(({ op }) => op === 'post_tx_amount'),
    context,
  )
  const others = cases.filter(({ op }) => op !== 'post_tx_amount')
  return [...posted, ...others.map((given) => judge(nameOf(given), () => compare(given)))]
}

/** Amounts on the wire and as text (PROTOCOL 1.5, 2.4). */
export const check: Check = {
  kind: 'amounts',
  recognises: (file) =>
    everyCaseHas(file, 'op') &&
    casesOf(file).every(({ op }) =>
      ['post_tx_amount', 'parse_api_integer', 'format', 'parse'].includes(asText(op)),
    ),
  run,
}
