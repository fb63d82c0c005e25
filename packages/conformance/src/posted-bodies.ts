import { createGenesis } from '@hailstone/ledger'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { type Case, difference, nameOf } from './case.ts'
import type { Outcome } from './check.ts'
import { ask, createOfflineApi, type OfflineApi } from './offline-api.ts'

/** A request to POST /tx and the answer of the public server. */
export type PostedBody = {
  readonly given: Case
  readonly body: string | undefined
  readonly contentType: string | null
  /** True if the same body is sent once before. */
  readonly isRepeated: boolean
  readonly status: JsonValue | undefined
  readonly answer: JsonValue | undefined
}

async function outcomeOf(offline: OfflineApi, posted: PostedBody): Promise<Outcome> {
  const { given, body, contentType, isRepeated, status, answer } = posted
  const name = nameOf(given)
  const request = { method: 'POST', path: '/api/v1/tx', contentType, body }
  if (isRepeated) await ask(offline, request)
  const reply = await ask(offline, request)
  // Each case starts with an empty pool.
  offline.mempool.remove(offline.mempool.entries().map(({ hash }) => hash))
  const differences = [
    difference('status', status, BigInt(reply.status)),
    difference('content type', 'application/json; charset=utf-8', reply.contentType),
    difference('answer', answer, parseJson(reply.body)),
  ].filter((found) => found !== null)
  return differences.length === 0
    ? { name, verdict: 'passed' }
    : { name, verdict: 'failed', reason: differences.join('; ') }
}

/** Posts every body to the real API, each to an empty pool. */
export async function postedOutcomes(bodies: readonly PostedBody[]): Promise<readonly Outcome[]> {
  await using offline = await createOfflineApi(createGenesis({ seed: 'conformance', time: 1_700_000_000 }))
  const outcomes: Outcome[] = []
  for (const posted of bodies) outcomes.push(await outcomeOf(offline, posted))
  return outcomes
}
