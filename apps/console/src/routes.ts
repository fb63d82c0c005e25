import type { Client } from '@hailstone/client'
import { isAddress } from '@hailstone/protocol'
import { z } from 'zod'
import { alertRoutes, alertsSchema, listAlerts } from './alerts/alert-routes.ts'
import { explain } from './figures/explain.ts'
import {
  ask,
  column,
  dateOf,
  type Figure,
  type FigureContext,
  PAGE_ROWS,
  type PageQuery,
  pageOf,
} from './figures/figure.ts'
import { type FigureName, figures } from './figures/figures.ts'
import { answerAccount, answerSlot, askAnswers, askSlot } from './figures/live-answers.ts'
import { MINER_ORDERS } from './figures/miners.ts'
import { labelId, labelRoutes, listLabels } from './labels/label-routes.ts'
import type { ShownToken } from './open-follower.ts'
import { contentOf, readingSecurity, securitySchemes, withRoutes } from './people/people-openapi.ts'
import { peopleRoutes } from './people/people-routes.ts'
import { listFigures, type Role } from './people/roles.ts'

/** One question of the API: the path, its parameters, and the function that the page and the export call too. */
export type Route = {
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly query: z.ZodType
  readonly answer: z.ZodType
  /** True if the answer is a figure, which is also had as a file, with all pages of a list. */
  readonly isFigure: boolean
  /** True for a list of records in the order of heights, the newest first. @default false */
  readonly isOfRecords?: boolean | undefined
  /** Least role of who may ask; an export needs that of lists. */
  readonly role: Role
  /** Reads from the API of the network, before the tables are read. Its result goes to `compute`. */
  readonly ask?: ((client: Client, token: ShownToken, query: never) => Promise<unknown>) | undefined
  /** @param asked the result of `ask` */
  readonly compute: (context: FigureContext, query: never, ...asked: readonly never[]) => Promise<unknown>
}

/** Role of lists of accounts and of exports. */
export const LIST_ROLE: Role = 'analyst'

const cell = z.union([z.string(), z.number(), z.null()])
const figureSchema = z.object({
  columns: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      unit: z.enum(['count', 'amount', 'day', 'address', 'text', 'percent', 'mean', 'height']),
      rounding: z
        .enum(['nearest', 'down', 'up'])
        .optional()
        .describe('Way in which the page shortens an amount; nearest if it is not there.'),
    }),
  ),
  rows: z.array(z.array(cell)).describe('In the order of the columns; amounts are whole units as text.'),
  chart: z.object({ kind: z.enum(['lines', 'bars']), keys: z.array(z.string()) }).optional(),
  notes: z.array(z.string()).optional(),
  next: z
    .string()
    .nullable()
    .optional()
    .describe('Value of `after` for the next page; null on the last one.'),
})

const verdictSchema = z.object({
  code: z.string(),
  sentence: z.string(),
  nextStep: z.string(),
  evidence: z.record(z.string(), cell),
})

const none = z.strictObject({})
const address = z.string().refine(isAddress, 'an address, 66 hex digits in lower case')
const days = z.coerce.number().int().min(1).max(90).default(7)

const limitOf = (rows: number) => z.coerce.number().int().min(1).max(PAGE_ROWS).default(rows)
/** Places in lists that are in the order of a number and of accounts, or of heights and numbers in them. */
const afterAccount = z
  .string()
  .regex(/^\d{1,40} 0[23][0-9a-f]{64}$/)
  .optional()
const afterRecord = z
  .string()
  .regex(/^\d{1,9} \d{1,9}$/)
  .optional()

/** Parameters of each figure that is a list. */
const queries: Partial<Record<FigureName, z.ZodType>> = {
  miners: z.strictObject({
    sort: z.enum(MINER_ORDERS).default('earned'),
    after: afterAccount,
    limit: limitOf(50),
  }),
  agents: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,18} 0[23][0-9a-f]{64}$/)
      .optional(),
    limit: limitOf(PAGE_ROWS),
  }),
  below: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,9} 0[23][0-9a-f]{64}$/)
      .optional(),
    limit: limitOf(PAGE_ROWS),
  }),
  payouts: z.strictObject({ after: afterRecord, limit: limitOf(PAGE_ROWS) }),
}

/** Rewards of one account, the newest first. */
async function minerRewards(
  context: FigureContext,
  { address: of, after, limit = PAGE_ROWS }: PageQuery & { readonly address: string },
): Promise<Figure> {
  const isAfter = 'and r.height <= $3::int and (r.height < $3::int or r.ordinal > $4::int)'
  const rows = await ask(
    context,
    `select ${dateOf('b.day')} as day, r.height,
      (array['own', 'miner half', 'agent half', 'owner part', 'odd unit'])[r.kind] as kind,
      r.amount::text as amount, m.hash as microblock, r.ordinal
    from reward r join block b on b.height = r.height
      join microblock m on m.height = r.height and m.ordinal = r.microblock
    where r.token = $1 and r.account = (select id from account where address = $2)
      ${after === undefined ? '' : isAfter}
    order by r.height desc, r.ordinal limit ${limit + 1}`,
    [of, ...(after?.split(' ') ?? [])],
  )
  const columns = [
    column('day', 'Day', 'day'),
    column('height', 'Height', 'height'),
    column('kind', 'Kind', 'text'),
    column('amount', 'Amount', 'amount'),
    column('microblock', 'Microblock', 'text'),
  ]
  return {
    ...pageOf(columns, rows, { limit, placeOf: ({ height, ordinal }) => `${height} ${ordinal}` }),
    notes: [`The newest ${PAGE_ROWS} rewards; the files have all.`],
  }
}

const asRoute = (name: FigureName): Route => {
  const { title, summary, compute } = figures[name]
  const query = queries[name] ?? none
  const role = listFigures.includes(name) ? LIST_ROLE : 'viewer'
  const isOfRecords = name === 'payouts'
  return {
    ...{ path: `/v1/${name}`, title, summary, query, answer: figureSchema, isFigure: true },
    ...{ isOfRecords, role, compute },
  }
}

/** Every question of the API; its description is printed from these. */
export const routes: readonly Route[] = [
  ...(Object.keys(figures) as FigureName[]).map(asRoute),
  {
    path: '/v1/miner-rewards',
    title: 'Rewards of one account',
    summary: 'The newest rewards of one account, as miner or as agent.',
    query: z.strictObject({ address, after: afterRecord, limit: limitOf(PAGE_ROWS) }),
    answer: figureSchema,
    isFigure: true,
    isOfRecords: true,
    role: 'support',
    compute: minerRewards,
  },
  {
    path: '/v1/explain',
    title: 'Why a reward came, or did not',
    summary: 'Every reason that holds for the newest days of one account, with evidence and a next step.',
    query: z.strictObject({ address, days }),
    answer: z.object({ verdicts: z.array(verdictSchema) }),
    isFigure: false,
    role: 'support',
    compute: async (context, query: Parameters<typeof explain>[1]) => ({
      verdicts: await explain(context, query),
    }),
  },
  {
    path: '/v1/answers',
    title: 'What the network says of an account',
    summary:
      'Whether the network sees the account, what decides its share, and its referrer, asked of the API at most five seconds ago.',
    query: z.strictObject({ address }),
    answer: z.object({ verdicts: z.array(verdictSchema) }),
    isFigure: false,
    role: 'support',
    ask: askAnswers,
    compute: answerAccount,
  },
  {
    path: '/v1/slot',
    title: 'Place of the token',
    summary:
      'Whether the token has a place of its own for its microblocks, asked of the API at most five seconds ago.',
    query: none,
    answer: z.object({ verdicts: z.array(verdictSchema) }),
    isFigure: false,
    role: 'viewer',
    ask: askSlot,
    compute: async (context, _, slot: Parameters<typeof answerSlot>[1]) => answerSlot(context, slot),
  },
  {
    path: '/v1/alerts',
    title: 'Alerts',
    summary: 'Every rule with its state and newest value, the receivers, and the newest messages.',
    query: none,
    answer: alertsSchema,
    isFigure: false,
    role: 'admin',
    compute: listAlerts,
  },
  {
    path: '/v1/labels',
    title: 'Labels',
    summary: 'Every label with its account. Campaigns are the labels of agents.',
    query: none,
    answer: figureSchema,
    isFigure: true,
    role: 'admin',
    compute: listLabels,
  },
]

/** Members that stand beside every answer. */
export const statusSchema = z.object({
  height: z.number().nullable().describe('Newest macroblock of the answer.'),
  ageSeconds: z.number().nullable().describe('Seconds since the time of its key block.'),
  state: z.enum(['starting', 'following', 'behind', 'lying', 'forked', 'failing']),
  failure: z.string().nullable(),
  reorganisations: z.number(),
  activeAlerts: z.number().describe('Alerts that have started and not ended.'),
  alertsFailure: z.string().nullable().describe('Why alerts are not judged; null while they are.'),
})

const tokenSchema = z.object({ id: z.string(), symbol: z.string(), decimals: z.number() })

let document: unknown

/** Returns the OpenAPI document of the routes. It is made once, because anybody may request it and it takes milliseconds. */
export const openApi = (): unknown => {
  document ??= openApiOf('0.1.0')
  return document
}

function openApiOf(version: string): unknown {
  const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const paths = routes.map((route) => {
    const query = json(route.query) as { properties?: Record<string, object>; required?: readonly string[] }
    const parameters = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      ...{ name, in: 'query', schema },
      required: query.required?.includes(name) ?? false,
    }))
    const content = contentOf(z.object({ status: statusSchema, token: tokenSchema, data: route.answer }))
    const refused = (description: string) => ({
      description,
      content: contentOf(z.object({ error: z.string() })),
    })
    const responses = {
      200: { description: route.title, content },
      400: refused('Invalid parameters.'),
      401: refused('Not signed in.'),
      403: refused('The role does not suffice, or the question is from another page.'),
    }
    const get = {
      operationId: `get${route.path
        .slice(4)
        .split('-')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}`,
      ...{ summary: route.summary, description: `Least role: ${route.role}.` },
      ...{ security: readingSecurity(route.role), parameters, responses },
    }
    return [route.path, { get }] as const
  })
  const withPeople = withRoutes(Object.fromEntries(paths), peopleRoutes, { type: 'integer' })
  const withAlerts = withRoutes(withPeople, alertRoutes, { type: 'string' })
  return {
    openapi: '3.1.0',
    info: { title: 'Hailstone console', version },
    paths: withRoutes(withAlerts, labelRoutes, { type: 'string', pattern: labelId.source }),
    components: { securitySchemes },
  }
}
