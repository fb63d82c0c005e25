import type { ApiOptions } from '@hailstone/local-network'
import { type JsonValue, parseJson, stringifyJson } from '@hailstone/protocol'
import { asList, asObject, asText, type Case, difference, judge } from '../case.ts'
import { readChainOrigin, replayInto } from '../chain-recording.ts'
import type { Check, CheckContext, Outcome } from '../check.ts'
import { comparablePart } from '../free-members.ts'
import { nearestLedger } from '../nearest-ledger.ts'
import { ask, createOfflineApi, type OfflineApi, type Reply } from '../offline-api.ts'

/** A text in place of a JSON value is the body exactly as sent. */
const bodyOf = ({ request }: Case): string | undefined => {
  if (request === undefined || request === null) return undefined
  return typeof request === 'string' ? request : stringifyJson(request)
}

const isJson = (contentType: string | null): boolean => contentType?.startsWith('application/json') === true

function compareBodies(route: string, expected: string, reply: Reply): string | null {
  if (!isJson(reply.contentType) || expected === '' || reply.body === '')
    return reply.status === 404 ? null : difference('body', expected, reply.body)
  return difference(
    'answer',
    comparablePart(route, parseJson(expected)),
    comparablePart(route, parseJson(reply.body)),
  )
}

async function outcomeOf(
  offline: OfflineApi,
  exchange: Case,
  given: { prefix: string; number: number },
): Promise<Outcome> {
  const { prefix, number } = given
  const [method, path] = [asText(exchange.method), asText(exchange.path)]
  const name = `${number} ${method} ${path}`
  const body = bodyOf(exchange)
  const contentType = body === undefined ? null : 'application/json'
  const reply = await ask(offline, { method, path: prefix + path, contentType, body })
  const [route = ''] = path.split('?')
  const reason = asText(exchange.not_compared)
  if (reason !== '') return { name, verdict: 'skipped', reason }
  return judge(name, () => [
    difference('status', exchange.status, BigInt(reply.status)),
    difference('content type', exchange.content_type ?? null, reply.contentType),
    compareBodies(route, asText(exchange.body), reply),
  ])
}

async function run(file: JsonValue, context: CheckContext): Promise<readonly Outcome[]> {
  const { scenario_seed: seed, api_prefix: prefix, exchanges, server } = asObject(file)
  const ledger = nearestLedger(asText(seed), context)
  await using offline = await createOfflineApi(
    readChainOrigin(ledger),
    asObject(server) as Partial<ApiOptions>,
  )
  await replayInto(offline.store, ledger)
  const outcomes: Outcome[] = []
  // Sequential: posted transactions affect the answers that follow.
  for (const [number, exchange] of asList(exchanges).entries()) {
    outcomes.push(await outcomeOf(offline, asObject(exchange), { prefix: asText(prefix), number }))
  }
  return outcomes
}

/** Answers of the public server over a recorded ledger, compared with those of the real API over the same ledger. */
export const check: Check = {
  kind: 'recorded HTTP exchanges',
  recognises: (file) => {
    const exchanges = asList(asObject(file).exchanges)
    const isExchange = (given: Case) => given.method !== undefined && given.path !== undefined
    return (
      asObject(file).scenario_seed !== undefined &&
      exchanges.length > 0 &&
      exchanges.map(asObject).every(isExchange)
    )
  },
  run,
}
