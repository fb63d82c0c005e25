import type { JsonValue } from '@hailstone/protocol'
import { asObject, asText, type Case, casesOf } from '../case.ts'
import type { Check } from '../check.ts'
import { type PostedBody, postedOutcomes } from '../posted-bodies.ts'

/** Returns the body in the file, or one built from its description if it is long. */
function bodyOf(given: Case): string | undefined {
  if (typeof given.body === 'string') return given.body
  if (given.body_spec === undefined || given.body_spec === null) return undefined
  const { prefix, fill_char: fill, fill_count: count, suffix } = asObject(given.body_spec)
  return asText(prefix) + asText(fill).repeat(Number(asText(count))) + asText(suffix)
}

const postedBody = (given: Case): PostedBody => ({
  given,
  body: bodyOf(given),
  contentType: asText(given.content_type) === '' ? null : asText(given.content_type),
  isRepeated: given.preceded_by_same_body === true,
  status: asObject(given.expect).status,
  answer: asObject(given.expect).json,
})

const isPosted = (given: Case): boolean => {
  const { status, json } = asObject(given.expect)
  const hasBody = given.body !== undefined || given.body_spec !== undefined
  return hasBody && given.op === undefined && status !== undefined && json !== undefined
}

/** Requests to POST /tx and the exact answers of the public handler (PROTOCOL 2.4, 7.5). */
export const check: Check = {
  kind: 'posted transactions',
  recognises: (file: JsonValue) => casesOf(file).length > 0 && casesOf(file).every(isPosted),
  run: (file) => postedOutcomes(casesOf(file).map(postedBody)),
}
