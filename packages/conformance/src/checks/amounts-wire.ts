import { asText, type Case } from '../case.ts'
import type { CheckContext, Outcome } from '../check.ts'
import { type PostedBody, postedOutcomes } from '../posted-bodies.ts'

const postedBody = (given: Case): PostedBody => ({
  given,
  body: asText(given.body),
  contentType: 'application/json',
  isRepeated: false,
  status: given.status,
  answer: given.response,
})

/** Posts amounts in every JSON form to the real API (PROTOCOL 1.5, 2.4). */
export async function postedAmountOutcomes(
  cases: readonly Case[],
  _context: CheckContext,
): Promise<readonly Outcome[]> {
  return cases.length === 0 ? [] : postedOutcomes(cases.map(postedBody))
}
