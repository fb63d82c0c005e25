import * as z from 'zod'
import { brokenJsonNames } from './broken-json.ts'
import { isMemberPath } from './rewrite-members.ts'

const whole = (least: number, most: number) => z.int().min(least).max(most)
const milliseconds = whole(0, 86_400_000)
const bytes = whole(0, 256 * 1024 * 1024)

/** A fixed number, or two between which each use draws one. */
const drawn = (number: z.ZodInt) =>
  z.union([
    number,
    z.tuple([number, number]).refine(([least, most]) => least <= most, 'the smaller number first'),
  ])

const yes = z.literal(true)
const beforeOrAfter = z.enum(['before', 'after'])

const memberChange = z
  .strictObject({
    path: z.string().refine(isMemberPath, 'a path such as balance, [0].ticker or records[*].amount'),
    value: z.unknown().optional(),
    add: z.union([z.int(), z.bigint()]).optional(),
    remove: yes.optional(),
  })
  .refine(
    (change) => ['value', 'add', 'remove'].filter((name) => name in change).length === 1,
    'one of value, add, remove',
  )

const delay = z.strictObject({ ms: drawn(milliseconds), of: z.enum(['request', 'answer']).optional() })
const status = z.strictObject({
  code: whole(200, 599),
  /** Seconds, or any text. */
  retryAfter: z.union([whole(0, 10_000_000_000), z.string()]).optional(),
  /** Like `retryAfterMs`, written as a date this far ahead, in ms. */
  retryAfterDateMs: milliseconds.optional(),
  body: z.enum(['html', 'json', 'empty', 'genuine']).optional(),
  when: beforeOrAfter.optional(),
})
const redirect = z.strictObject({ location: z.string().min(1), code: whole(300, 308).optional() })
const drip = z.strictObject({ bytes: whole(1, 65_536).optional(), everyMs: milliseconds })
const reorder = z.strictObject({ waitMs: milliseconds.optional() })
const reset = z.strictObject({ when: beforeOrAfter.optional() })
const times = z.strictObject({ times: whole(2, 10_000) })
const how = z.enum(['end', 'reset']).optional()
const wrongJson = z.enum(brokenJsonNames)
const rewrite = z.array(memberChange).min(1)

/** Faults of a request and its answer. */
const httpFaults = {
  delay,
  cut: z.strictObject({ of: z.enum(['request', 'answer']), afterBytes: drawn(bytes), how }),
  duplicate: times,
  reorder,
  corrupt: z.strictObject({
    bits: drawn(whole(1, 10_000)).optional(),
    of: z.enum(['body', 'answer']).optional(),
  }),
  wrongJson,
  wrongBody: z.enum(['brokenGzip', 'gzipBomb', 'tooShort', 'tooLong', 'none']),
  status,
  silent: yes,
  halfOpen: yes,
  drip,
  reset,
  redirect,
  rewrite,
  records: z.enum(['repeat', 'skip', 'reorder', 'overlap', 'endless']),
  wrongHash: yes,
  acceptThenForget: yes,
  forgetPool: yes,
  otherNode: z.strictObject({ blocksBehind: whole(1, 100) }),
}

/** True if a closing frame may carry the code (RFC 6455, 7.4). */
export const isCloseCode = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)

/** Faults of a miner's connection and its messages. */
const socketFaults = {
  delay: z.strictObject({ ms: drawn(milliseconds) }),
  drop: yes,
  mute: yes,
  silent: yes,
  halfOpen: yes,
  duplicate: times,
  reorder,
  corrupt: z.strictObject({
    bits: drawn(whole(1, 10_000)).optional(),
    of: z.enum(['text', 'frame']).optional(),
  }),
  wrongJson,
  rewrite,
  cut: z.strictObject({ afterBytes: drawn(bytes).optional(), how }),
  close: z.strictObject({
    code: z.int().refine(isCloseCode, 'a code that can be sent, such as 1001, 1012 or 4000'),
    reason: z.string().max(123).optional(),
  }),
  reset,
  drip,
  fragment: z.strictObject({ bytes: whole(1, 65_536) }),
  status: status.omit({ when: true }),
  redirect,
  forge: z.strictObject({
    what: z.enum([
      'amount',
      'statedHash',
      'signature',
      'microblockHash',
      'publisher',
      'empty',
      'futureKeyBlock',
      'pastKeyBlock',
      'otherNonce',
      'leaderSignature',
    ]),
    /** True if the genuine beacon is dropped. @default true */
    instead: z.boolean().optional(),
  }),
  replay: z.strictObject({
    which: z.enum(['this', 'previous', 'first']).optional(),
    times: whole(1, 1_000_000),
    everyMs: milliseconds.optional(),
  }),
  flood: z.strictObject({ beacons: whole(1, 1_000_000), everyMs: milliseconds.optional() }),
  peer: z.strictObject({ host: z.string().min(1), port: whole(0, 99_999), instead: z.boolean().optional() }),
  oversized: z
    .strictObject({ bytes: bytes.optional(), transactions: whole(1, 1_000_000).optional() })
    .refine((options) => Object.keys(options).length === 1, 'bytes or transactions'),
  say: z
    .strictObject({
      text: z.string().optional(),
      json: z.unknown().optional(),
      instead: z.boolean().optional(),
    })
    .refine((options) => 'text' in options !== 'json' in options, 'text or json'),
}

/** One fault by its name. */
const oneOf = <Faults extends Readonly<Record<string, z.ZodType>>>(faults: Faults) =>
  z
    .strictObject(
      Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, fault.optional()])) as {
        [Name in keyof Faults]: z.ZodOptional<Faults[Name]>
      },
    )
    .refine((fault) => Object.keys(fault).length === 1, 'exactly one fault')

/** Which of those that fit are meant; all of them without any. Counted from 1, over all connections. */
const occurrences = {
  /** This one alone. */
  nth: whole(1, 1_000_000_000).optional(),
  /** Each second, third … */
  every: whole(1, 1_000_000_000).optional(),
  probability: z.number().min(0).max(1).optional(),
  from: whole(1, 1_000_000_000).optional(),
  until: whole(1, 1_000_000_000).optional(),
  /** Since the script was set; makes runs depend on time. */
  fromMs: milliseconds.optional(),
  untilMs: milliseconds.optional(),
}

export const MESSAGES = [
  'connect',
  'upgrade',
  'hail',
  'publish',
  'on_leader_beacon',
  'peer',
  'error',
  'other',
] as const

const httpRule = z.strictObject({
  name: z.string().optional(),
  on: z.literal('api'),
  match: z
    .strictObject({
      method: z.enum(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']).optional(),
      /** With or without `/api/v1`; a star at the end stands for anything. */
      path: z.string().optional(),
      /** Parameters by their names on the wire. */
      query: z.record(z.string(), z.string()).optional(),
      ...occurrences,
    })
    .optional(),
  fault: oneOf(httpFaults),
})

const socketRule = z.strictObject({
  name: z.string().optional(),
  on: z.literal('gateway'),
  match: z
    .strictObject({
      direction: z.enum(['toMiner', 'fromMiner']).optional(),
      message: z.enum(MESSAGES).optional(),
      /** Of a miner that has hailed, or hails with this message. */
      address: z.string().optional(),
      ...occurrences,
    })
    .optional(),
  fault: oneOf(socketFaults),
})

export const faultScriptSchema = z.strictObject({
  $schema: z.string().optional(),
  /** Same seed and same order of requests, same run. */
  seed: z.union([z.string(), z.int()]).optional(),
  rules: z.array(z.discriminatedUnion('on', [httpRule, socketRule])),
})

/** Trouble to make, as data. */
export type FaultScript = z.output<typeof faultScriptSchema>
/** A rule of a fault script: a place, a condition and a fault. */
export type FaultRule = FaultScript['rules'][number]
export type HttpRule = Extract<FaultRule, { on: 'api' }>
export type SocketRule = Extract<FaultRule, { on: 'gateway' }>

type Options<Fault> = { readonly [Name in keyof Fault]-?: Exclude<Fault[Name], undefined> }
/** Options of each fault by its name. */
export type HttpFaults = Options<HttpRule['fault']>
export type SocketFaults = Options<SocketRule['fault']>

/** A number, or the least and the most of a draw. */
export type Drawn = number | [number, number]
