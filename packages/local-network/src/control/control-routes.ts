import { type FaultScript, type NetworkFaults, parsePart } from '@hailstone/fault-injection'
import {
  type Address,
  decodeWith,
  type Endpoint,
  encodeWith,
  isNodeError,
  type JsonValue,
  NodeError,
  type Parameters,
  parseJson,
  type Schema,
} from '@hailstone/protocol'
import { wireSchema } from '@hailstone/protocol/reference'
import { nearestWord } from '@hailstone/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiOptions } from '../http/index.ts'
import { sendJson } from '../http/route.ts'
import { controlEndpoints as endpoints } from './control-endpoints.ts'
import { controlExamples } from './control-examples.ts'
import { CONTROL_PREFIX, controlReference } from './control-reference.ts'
import type { NetworkControl } from './create-control.ts'
import { isFromThisMachine } from './is-from-this-machine.ts'
import type { OutageOptions } from './outages.ts'
import type { SendData } from './send-data.ts'

type Route = (server: FastifyInstance) => void

type ControlParts = {
  readonly control: NetworkControl
  readonly faults: NetworkFaults
  readonly sendData: SendData
  /** Account that the reference offers to pay. */
  readonly payee: Address
}

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

const isObject = (value: unknown): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A body that people wrote: unknown members are refused instead of dropped. */
function decodeBody<Body>(schema: Schema<Body>, body: unknown): Body {
  const given = body ?? {}
  if (!isObject(given)) throw refused('the body', 'a JSON object', 'another value')
  const known = Object.keys(wireSchema(schema).properties ?? {})
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const meant = nearestWord(unknown, known)
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
    throw refused(unknown, `one of ${known.join(', ') || 'no members at all'}${hint}`, 'unknown')
  }
  const decoded = decodeWith(schema, given)
  if (!decoded.ok)
    throw refused(decoded.problem.path || 'the body', 'as the reference says', decoded.problem.reason)
  return decoded.value
}

const post =
  <Body, Answer>(
    endpoint: Endpoint<Parameters, Answer, Body>,
    act: (body: Body) => Answer | Promise<Answer>,
  ): Route =>
  (server) =>
    server.post(CONTROL_PREFIX + endpoint.path, async (request: FastifyRequest, reply: FastifyReply) => {
      const body = endpoint.body === undefined ? undefined : decodeBody(endpoint.body, request.body)
      return sendJson(reply, encodeWith(endpoint.answer, await act(body as Body)))
    })

const get =
  <Answer>(endpoint: Endpoint<Parameters, Answer>, answer: () => Answer | Promise<Answer>): Route =>
  (server) =>
    server.get(CONTROL_PREFIX + endpoint.path, async (_: FastifyRequest, reply: FastifyReply) =>
      sendJson(reply, encodeWith(endpoint.answer, await answer())),
    )

function setClock(control: NetworkControl, time: number | undefined, advanceMs: number | undefined): void {
  if (time === undefined && advanceMs === undefined) throw refused('time', 'Unix milliseconds', 'nothing')
  if (time !== undefined) control.setClock(time)
  if (advanceMs !== undefined) control.advanceClock(advanceMs)
}

/** An outage of the interface that was asked must let the answer out first. */
async function beginOutage(
  control: NetworkControl,
  options: OutageOptions,
): Promise<Readonly<Record<never, never>>> {
  if (options.of === 'gateway') await control.outage(options)
  else setImmediate(() => control.outage(options).catch(() => {}))
  return {}
}

const routesOf = ({ control, faults, sendData }: ControlParts): readonly Route[] => [
  get(endpoints.state, control.state),
  post(endpoints.mine, async ({ count }) => ({ height: await control.mine(count) })),
  post(endpoints.setClock, async ({ time, advanceMs }) => {
    setClock(control, time, advanceMs)
    return { time: (await control.state()).time }
  }),
  post(endpoints.pause, async () => {
    await control.pause()
    return control.state()
  }),
  post(endpoints.resume, () => {
    control.resume()
    return control.state()
  }),
  post(endpoints.fund, ({ address, amount, tokenId }) => control.fund(address, amount, tokenId)),
  post(endpoints.order, ({ data }) => sendData(data)),
  post(endpoints.reorganise, async ({ blocks, keepTransactions }) => ({
    height: await control.reorganise(blocks, { keepTransactions }),
  })),
  post(endpoints.snapshot, () => ({ id: control.snapshot() })),
  post(endpoints.revert, async ({ id }) => ({ height: await control.revert(id) })),
  post(endpoints.forgetPool, () => ({ count: control.forgetPool() })),
  post(endpoints.outage, ({ of, durationMs, closeCode }) =>
    beginOutage(control, { of: parsePart('of', of), durationMs, closeCode }),
  ),
  get(endpoints.faults, () => ({ script: faults.script(), fired: faults.fired() })),
  (server) =>
    server.post(CONTROL_PREFIX + endpoints.setFaults.path, async (request, reply) => {
      faults.set(request.body as FaultScript)
      return sendJson(
        reply,
        encodeWith(endpoints.setFaults.answer, { rules: faults.script()?.rules.length ?? 0 }),
      )
    }),
]

/** JSON without rounding, whatever the content type says: amounts are larger than a double holds. */
function readJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => (body.trim() === '' ? {} : parseJson(body)),
  )
}

function guard(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    // No page of another origin may read an answer, not even a refusal.
    reply.removeHeader('access-control-allow-origin')
    if (!isFromThisMachine(request.headers))
      return sendJson(reply.code(403), { err: 1n, message: 'Control is for programs on this machine alone.' })
  })
  server.setErrorHandler((error, _, reply) => {
    if (!isNodeError(error)) throw error
    return sendJson(reply.code(400), { err: 1n, message: error.message })
  })
}

/** Control over HTTP, to be mounted beside the network's own interface. */
export const controlRoutes = (parts: ControlParts): NonNullable<ApiOptions['more']> => ({
  references: [controlReference],
  examples: async () => controlExamples((await parts.control.state()).snapshots.at(-1), parts.payee),
  register: (server) =>
    void server.register(async (scope) => {
      guard(scope)
      readJson(scope)
      for (const route of routesOf(parts)) route(scope)
    }),
})
