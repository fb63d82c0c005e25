import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hash } from '@hailstone/protocol'
import type { ActiveFault, FaultEngine } from './fault-engine.ts'
import { kindOf } from './fault-engine.ts'
import type { HttpFaults, HttpRule } from './fault-script.ts'
import { type Exchange, type Outcome, type Question, readQuestion, writeAnswer } from './http-exchange.ts'
import { createHttpSteps } from './http-steps.ts'
import { barePath, PREFIX } from './parse-fault-script.ts'
import { type Cut, SocketTap, type SocketTapOptions } from './socket-tap.ts'

/** Part of a network's pool that faults need. */
export type FaultPool = {
  readonly remove: (hashes: Iterable<Hash>) => void
  readonly entries: () => readonly { readonly hash: Hash }[]
}

/** Asks the network itself, without a connection. */
export type Ask = (question: Question) => Outcome

/** Nodes of the same chain that a server can answer for besides itself. */
export type OtherNodes = {
  /** Answers a request as a node that is `blocksBehind` macroblocks behind the network. */
  readonly ask: (question: Question, blocksBehind: number) => Outcome
  /** Called when a script begins or is cleared, with what its rules need; the others may go. */
  readonly keep: (blocksBehind: ReadonlySet<number>) => void
}

/** Serves a request in place of the server, or passes it on. */
export type Around = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** Faults of requests and their answers, for the server that they happen to. */
export type HttpFaultLayer = {
  /** Returns what serves a request; without a rule that fits it calls `pass`. */
  readonly around: (ask: Ask) => Around
  /** Ends requests that a rule cuts after some bytes. Pass it to `openListener`. */
  readonly sniff: NonNullable<SocketTapOptions['sniff']>
}

type Asked = { readonly method: string; readonly path: string; readonly query: URLSearchParams }

function asked(method: string, url: string): Asked {
  const [path = '', query = ''] = url.split('?', 2)
  return { method, path, query: new URLSearchParams(query) }
}

function fitsPath(wanted: string, path: string): boolean {
  const bare = barePath(wanted)
  const given = barePath(path)
  return bare.endsWith('*') ? given.startsWith(bare.slice(0, -1)) : given.replace(/\/$/, '') === bare
}

function fits({ match = {}, fault }: HttpRule, { method, path, query }: Asked): boolean {
  const { method: wantedMethod, path: wantedPath, query: wantedQuery = {} } = match
  return (
    (wantedMethod === undefined || wantedMethod === method) &&
    (fault.otherNode === undefined || method === 'GET') &&
    (wantedPath === undefined || fitsPath(wantedPath, path)) &&
    Object.entries(wantedQuery).every(([name, value]) => query.get(name) === value)
  )
}

/** Control, reference and start page always work: somebody has to be able to end the trouble. */
const isSpared = (path: string): boolean => !path.startsWith(`${PREFIX}/`)

/** Requests are cut by their bytes, long before there is a question to answer. */
const cutsRequest = (rule: HttpRule): boolean => rule.fault.cut?.of === 'request'

const subjectOf = ({ method, path }: Asked): string => `${method} ${path}`

/** Returns who is asked: the server itself, or another node where a fault says so, the first one. */
function asking(ask: Ask, faults: readonly ActiveFault[], otherNodes: OtherNodes | undefined): Ask {
  const other = faults.find(({ kind }) => kind === 'otherNode')
  if (other === undefined || otherNodes === undefined) return ask
  const { blocksBehind } = other.options as HttpFaults['otherNode']
  return (question) => otherNodes.ask(question, blocksBehind)
}

/** Makes HTTP questions and answers go wrong as the script says. */
export function createHttpFaults(
  engine: FaultEngine,
  pool: FaultPool,
  otherNodes?: OtherNodes | undefined,
): HttpFaultLayer {
  const reach = {
    wait: engine.wait,
    forget: (hash: string) => pool.remove([hash as Hash]),
    forgetAll: () => pool.remove(pool.entries().map(({ hash }) => hash)),
  }
  let script = engine.script()
  let steps = createHttpSteps(reach)
  // What one script remembered must not change what the next one does.
  const stepsOfScript = (): typeof steps => {
    if (script !== engine.script()) {
      script = engine.script()
      steps = createHttpSteps(reach)
    }
    return steps
  }

  const faultsOf = (question: Asked): readonly ActiveFault[] =>
    isSpared(question.path)
      ? []
      : engine.match('api', (rule) => !cutsRequest(rule) && fits(rule, question), subjectOf(question))

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    run: (exchange: Exchange) => Outcome,
  ): Promise<void> => {
    const socketTap: unknown = request.socket
    if (!(socketTap instanceof SocketTap))
      throw new Error('Faults need a connection that came through a listener.')
    const answer = await run({ question: await readQuestion(request), socketTap })
    if (answer !== null && !response.destroyed) writeAnswer(response, answer)
  }

  return {
    around: (ask) => (request, response, pass) => {
      if (engine.script() === null) {
        pass()
        return
      }
      response.once('finish', () => stepsOfScript().answered())
      const faults = faultsOf(asked(request.method ?? 'GET', request.url ?? '/'))
      if (faults.length === 0) {
        pass()
        return
      }
      const around = faults.map(stepsOfScript().stepOf)
      const askNode = asking(ask, faults, otherNodes)
      const run = (exchange: Exchange): Outcome =>
        around.reduceRight<() => Outcome>(
          (next, step) => () => step(exchange, next),
          () => askNode(exchange.question),
        )()
      // A client that goes away in the middle of its body has no answer to wait for.
      serve(request, response, run).catch(() => response.destroy())
    },
    sniff: {
      isWanted: () =>
        engine.hasRule((rule) => rule.on === 'api' && kindOf(rule) === 'cut' && cutsRequest(rule)),
      cutOf: (head) => cutOf(engine, head),
    },
  }
}

function cutOf(engine: FaultEngine, head: string): Cut | null {
  const [, method = '', url = ''] = /^(\S+) (\S+) HTTP/.exec(head) ?? []
  const question = asked(method, url)
  if (isSpared(question.path)) return null
  const [fault] = engine.match(
    'api',
    (rule) => cutsRequest(rule) && fits(rule, question),
    subjectOf(question),
  )
  if (fault === undefined) return null
  const { afterBytes, how = 'end' } = fault.options as NonNullable<HttpRule['fault']['cut']>
  return { afterBytes: fault.draw('afterBytes', afterBytes), how }
}
