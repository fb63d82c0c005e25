import { z } from 'zod'
import { type PeopleRoute, peopleRoutes } from './people-routes.ts'
import type { Role } from './roles.ts'

/** Ways to sign in, as OpenAPI describes them. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hailstone-console',
    description: 'Cookie of a person who signed in; on this machine its name is hailstone-console.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token of the API, which reads with the role it was made for, 60 times a minute.',
  },
} as const

/** Security of a route that reads; tokens have no role above analyst. */
export const readingSecurity = (role: Role): readonly object[] =>
  role === 'admin' || role === 'owner' ? [{ session: [] }] : [{ session: [] }, { token: [] }]

const problem = z.object({ error: z.string().describe('A sentence for people.') })

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

export const contentOf = (schema: z.ZodType): object => ({ 'application/json': { schema: json(schema) } })

const responsesOf = ({ answer, summary, role, path }: PeopleRoute): object => {
  const refused = (description: string) => ({ description, content: contentOf(problem) })
  const done =
    answer === null ? { description: summary } : { description: summary, content: contentOf(answer) }
  return {
    [answer === null ? '204' : '200']: done,
    '400': refused('Parameters that are none.'),
    '401': refused(role === 'anyone' ? 'A wrong name, password or code.' : 'Not signed in.'),
    '403': refused('The role does not suffice, or the question is from another page.'),
    ...(path.includes('{id}') ? { '404': refused('Nobody and nothing has this number.') } : {}),
  }
}

const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const csrfParameter = {
  name: 'hailstone-csrf',
  in: 'header',
  required: true,
  description: 'The value `csrf` of `/v1/session`.',
  schema: { type: 'string' },
}

const operationOf = (route: PeopleRoute): object => {
  const { name, summary, role, method, path, body } = route
  const isChange = method !== 'GET' && role !== 'anyone'
  return {
    operationId: name,
    summary,
    ...(role === 'anyone' ? {} : { description: `Least role: ${role}.` }),
    security: role === 'anyone' ? [] : isChange ? [{ session: [] }] : readingSecurity(role),
    parameters: [...(path.includes('{id}') ? [idParameter] : []), ...(isChange ? [csrfParameter] : [])],
    ...(body === null ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: responsesOf(route),
  }
}

/** Paths of people, sessions and tokens in the OpenAPI document. */
export function peoplePaths(): Readonly<Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of peopleRoutes) {
    const entry = paths[route.path] ?? {}
    entry[route.method.toLowerCase()] = operationOf(route)
    paths[route.path] = entry
  }
  return paths
}
