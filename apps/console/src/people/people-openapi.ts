import { z } from 'zod'
import type { PeopleRoute } from './people-routes.ts'
import type { Role } from './roles.ts'

/** Ways to sign in, as OpenAPI describes them. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hailstone-console',
    description:
      'Cookie of a person who signed in; on this machine its name begins with hailstone-console. The port of an address that has one ends it: hailstone-console-4460.',
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

/** Facts about a route that its description is made of. */
type DescribedRoute = Pick<PeopleRoute, 'name' | 'path' | 'summary' | 'role' | 'body' | 'answer'> & {
  readonly method: string
}

const responsesOf = ({ answer, summary, role, path }: DescribedRoute): object => {
  const refused = (description: string) => ({ description, content: contentOf(problem) })
  const done =
    answer === null ? { description: summary } : { description: summary, content: contentOf(answer) }
  return {
    [answer === null ? '204' : '200']: done,
    '400': refused('Invalid parameters.'),
    '401': refused(role === 'anyone' ? 'A wrong name, password or code.' : 'Not signed in.'),
    '403': refused('The role does not suffice, or the question is from another page.'),
    ...(path.includes('{id}') ? { '404': refused('No such id.') } : {}),
  }
}

const csrfParameter = {
  name: 'hailstone-csrf',
  in: 'header',
  required: true,
  description: 'The value `csrf` of `/v1/session`.',
  schema: { type: 'string' },
}

const operationOf = (route: DescribedRoute, idSchema: object): object => {
  const { name, summary, role, method, path, body } = route
  const isChange = method !== 'GET' && role !== 'anyone'
  const idParameter = { name: 'id', in: 'path', required: true, schema: idSchema }
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

type Paths = Readonly<Record<string, object>>

/** Adds routes to the paths of an OpenAPI document. */
export function withRoutes(before: Paths, routes: readonly DescribedRoute[], idSchema: object): Paths {
  const paths: Record<string, object> = { ...before }
  for (const route of routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, idSchema),
    }
  return paths
}
