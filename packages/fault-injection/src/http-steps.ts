import { gzipSync } from 'node:zlib'
import type { JsonValue } from '@hailstone/protocol'
import { brokenJson } from './broken-json.ts'
import { changeRecords, createRecordMemory } from './change-records.ts'
import type { ActiveFault } from './fault-engine.ts'
import type { Drawn, HttpFaults } from './fault-script.ts'
import { flipBits } from './flip-bits.ts'
import { type Answer, type Exchange, type Outcome, withBody, withJson } from './http-exchange.ts'
import { createReorderGate } from './reorder-gate.ts'
import { rewriteMembers } from './rewrite-members.ts'
import { statusAnswer } from './status-answer.ts'

/** Actions of a fault besides changing the answer. */
export type HttpReach = {
  readonly wait: (delayMs: number) => Promise<void>
  /** Takes a transaction out of the pool. */
  readonly forget: (hash: string) => void
  readonly forgetAll: () => void
}

/** One fault around whatever is inside of it: the faults after it, and at last the network itself. */
export type HttpStep = (exchange: Exchange, next: () => Outcome) => Outcome

type StepFactories = {
  readonly [Name in keyof HttpFaults]: (options: HttpFaults[Name], fault: ActiveFault) => HttpStep
}

const HTML = 'text/html; charset=utf-8'
const BOMB_BYTES = 64 * 1024 * 1024

/** Never answers; the connection stays open. */
const nothing: Outcome = Promise.resolve(null)

const isWholeHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)

/** Another hash that looks as good. */
const otherHash = (hash: string): string => (hash.startsWith('0') ? '1' : '0') + hash.slice(1)

const sentHash = (answer: Answer): string | undefined => {
  let hash: unknown
  withJson(answer, (value) => {
    hash = (value as { result?: readonly { hash?: unknown }[] }).result?.[0]?.hash
    return value
  })
  return isWholeHash(hash) ? hash : undefined
}

/** Step that changes the answer; skipped without an answer. */
const changing =
  (change: (answer: Answer, exchange: Exchange) => Answer | Promise<Answer>): HttpStep =>
  async (exchange, next) => {
    const answer = await next()
    return answer === null ? null : change(answer, exchange)
  }

const cut = (options: HttpFaults['cut'], fault: ActiveFault): HttpStep =>
  changing((answer, { socketTap }) => {
    socketTap.cutAfter({
      afterBytes: fault.draw('afterBytes', options.afterBytes),
      how: options.how ?? 'end',
    })
    return answer
  })

function delay({ ms, of = 'answer' }: HttpFaults['delay'], fault: ActiveFault, reach: HttpReach): HttpStep {
  const delayMs = fault.draw('ms', ms)
  return async (_, next) => {
    if (of === 'request') await reach.wait(delayMs)
    const answer = await next()
    if (of === 'answer') await reach.wait(delayMs)
    return answer
  }
}

const corrupt = ({ bits = 1, of = 'body' }: HttpFaults['corrupt'], fault: ActiveFault): HttpStep => {
  const count = fault.draw('bits', bits satisfies Drawn)
  return changing((answer, { socketTap }) => {
    if (of === 'body') return withBody(answer, flipBits(answer.body, count, fault.random))
    socketTap.mutateNext((chunk) => flipBits(chunk, count, fault.random))
    return answer
  })
}

function wrongBody(kind: HttpFaults['wrongBody']): HttpStep {
  return changing((answer) => {
    const size = answer.body.length
    const zipped = (body: Buffer): Answer => {
      const changed = withBody(answer, body)
      return { ...changed, headers: { ...changed.headers, 'content-encoding': 'gzip' } }
    }
    switch (kind) {
      case 'brokenGzip':
        return zipped(Buffer.concat([gzipSync(answer.body).subarray(0, 12), answer.body]))
      case 'gzipBomb':
        return zipped(gzipSync(Buffer.alloc(BOMB_BYTES, ' ')))
      case 'tooShort':
        return { ...answer, headers: { ...answer.headers, 'content-length': size + 10 } }
      case 'tooLong':
        return { ...answer, headers: { ...answer.headers, 'content-length': Math.max(0, size - 10) } }
      case 'none':
        return { ...withBody(answer, ''), status: 204 }
    }
  })
}

function reset({ when = 'before' }: HttpFaults['reset']): HttpStep {
  return async ({ socketTap }, next) => {
    if (when === 'after') await next()
    socketTap.cutNow('reset')
    return null
  }
}

/** Every fault of a question, by its name. State that outlives a question is made here, once for a script. */
export function createHttpSteps(reach: HttpReach): {
  readonly stepOf: (fault: ActiveFault) => HttpStep
  /** Tells held answers that another one went by. */
  readonly answered: () => void
} {
  const reorderGate = createReorderGate(reach.wait)
  const memory = createRecordMemory()
  const steps: StepFactories = {
    delay: (options, fault) => delay(options, fault, reach),
    cut,
    duplicate:
      ({ times }) =>
      async (_, next) => {
        for (let sent = 1; sent < times; sent++) await next()
        return next()
      },
    reorder: ({ waitMs = 1000 }) =>
      changing(async (answer) => {
        await reorderGate.hold(waitMs)
        return answer
      }),
    corrupt,
    wrongJson: (name) =>
      changing((answer) =>
        withBody(
          answer,
          brokenJson(name, answer.body.toString('utf8')),
          name === 'html200' ? HTML : undefined,
        ),
      ),
    wrongBody,
    status: (options) => async (_, next) => {
      const genuine = options.when === 'after' || options.body === 'genuine' ? await next() : null
      return statusAnswer(options, genuine)
    },
    silent: () => () => nothing,
    halfOpen:
      () =>
      ({ socketTap }) => {
        socketTap.freeze()
        return nothing
      },
    drip: ({ bytes = 1, everyMs }) =>
      changing((answer, { socketTap }) => {
        socketTap.drip({ bytes, everyMs })
        return answer
      }),
    reset,
    redirect:
      ({ location, code = 302 }) =>
      async () => ({ status: code, headers: { location }, body: Buffer.alloc(0) }),
    rewrite: (changes, fault) =>
      changing((answer) =>
        withJson(answer, (value) => {
          const rewritten = rewriteMembers(value, changes)
          fault.note('changed', rewritten.count)
          return rewritten.value
        }),
      ),
    records: (kind, fault) =>
      changing((answer, { question }) =>
        withJson(answer, (value) =>
          changeRecords({ kind, value, url: question.url, memory, random: fault.random }),
        ),
      ),
    wrongHash: () =>
      changing((answer) => {
        const hash = sentHash(answer)
        const change = (value: JsonValue): JsonValue =>
          hash === undefined
            ? value
            : rewriteMembers(value, [{ path: 'result[0].hash', value: otherHash(hash) }]).value
        return withJson(answer, change)
      }),
    acceptThenForget: () =>
      changing((answer) => {
        const hash = sentHash(answer)
        if (hash !== undefined) reach.forget(hash)
        return answer
      }),
    forgetPool: () => (_, next) => {
      reach.forgetAll()
      return next()
    },
    // Who answers is decided where the question is asked: the other faults happen to that answer too.
    otherNode: () => (_, next) => next(),
  }
  return {
    stepOf: (fault) => steps[fault.kind as keyof StepFactories](fault.options as never, fault),
    answered: reorderGate.passed,
  }
}
