import { text } from '../schema/leaves.ts'
import type { Schema } from '../schema/record.ts'

/** Types of query parameters. The network itself never validates their text. */
export type ParameterKinds = {
  /** 02 or 03 and 64 hex digits. */
  address: string
  /** 64 hex digits. */
  tokenId: string
  /** 64 hex digits. */
  hash: string
  height: number
  page: number
  count: number
  units: bigint
  text: string
}

/** A query parameter: its name on the wire and the kind of its value. */
export type Parameter<K extends keyof ParameterKinds = keyof ParameterKinds, O extends boolean = boolean> = {
  readonly wireName: string
  readonly kind: K
  /** True if the network answers without it. */
  readonly isOptional: O
}

// @__NO_SIDE_EFFECTS__
/** Returns a parameter without which the network refuses the request. */
export const required = <K extends keyof ParameterKinds>(kind: K, wireName: string): Parameter<K, false> => ({
  wireName,
  kind,
  isOptional: false,
})

// @__NO_SIDE_EFFECTS__
/** Returns a parameter that a request may leave out. */
export const maybe = <K extends keyof ParameterKinds>(kind: K, wireName: string): Parameter<K, true> => ({
  wireName,
  kind,
  isOptional: true,
})

/** Parameters of an endpoint by our names for them. */
export type Parameters = Readonly<Record<string, Parameter>>

/** The arguments of an endpoint under our names. */
export type QueryOf<P extends Parameters> = {
  readonly [K in keyof P as P[K]['isOptional'] extends true ? never : K]: ParameterKinds[P[K]['kind']]
} & {
  readonly [K in keyof P as P[K]['isOptional'] extends true ? K : never]?:
    | ParameterKinds[P[K]['kind']]
    | undefined
}

/**
 * Description of a route, used by both sides: the client encodes the query and decodes the answer with it, the local
 * network does the reverse, and the reference is printed from it.
 */
export type Endpoint<P extends Parameters, Answer, Body = undefined> = {
  readonly method: 'GET' | 'POST'
  /** Relative to the API base, `/api/v1`. */
  readonly path: `/${string}`
  readonly parameters: P
  readonly body?: Schema<Body>
  readonly answer: Schema<Answer>
  /** True if an empty body with status 200 is a regular answer meaning "nothing". */
  readonly mayBeEmpty: boolean
  /** Format of the answer. @default 'json' */
  readonly form?: 'json' | 'text' | undefined
}

/** Defines an endpoint that is read with GET. */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<P extends Parameters, Answer>(definition: {
  readonly path: `/${string}`
  readonly parameters?: P
  readonly answer: Schema<Answer>
  readonly mayBeEmpty?: boolean
}): Endpoint<P, Answer> {
  const { path, parameters = {} as P, answer, mayBeEmpty = false } = definition
  return { method: 'GET', path, parameters, answer, mayBeEmpty }
}

/** Defines a figure in plain text, for services that read nothing else. */
// @__NO_SIDE_EFFECTS__
export const defineText = (path: `/${string}`): Endpoint<Record<never, Parameter>, string> => ({
  method: 'GET',
  path,
  parameters: {},
  answer: text,
  mayBeEmpty: false,
  form: 'text',
})

/** Defines an endpoint that takes a POST body. */
// @__NO_SIDE_EFFECTS__
export function definePost<Body, Answer>(definition: {
  readonly path: `/${string}`
  readonly body: Schema<Body>
  readonly answer: Schema<Answer>
  readonly mayBeEmpty?: boolean
}): Endpoint<Record<never, Parameter>, Answer, Body> {
  const { path, body, answer, mayBeEmpty = false } = definition
  return { method: 'POST', path, parameters: {}, body, answer, mayBeEmpty }
}

/** Encodes the query of a request, without the question mark; empty if there are no arguments. */
export function encodeQuery<P extends Parameters>(
  endpoint: Pick<Endpoint<P, unknown, never>, 'parameters'>,
  query: QueryOf<P>,
): string {
  const given = query as Readonly<Record<string, string | number | bigint | undefined>>
  return Object.entries(endpoint.parameters)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { wireName }]) => `${wireName}=${encodeURIComponent(String(given[name]))}`)
    .join('&')
}

/** Returns the texts of a query under our names. Missing and repeated ones are absent; values are not checked. */
export function decodeQuery<P extends Parameters>(
  endpoint: Pick<Endpoint<P, unknown, never>, 'parameters'>,
  query: Readonly<Record<string, unknown>>,
): { readonly [K in keyof P]?: string } {
  const texts: Record<string, string> = {}
  for (const [name, { wireName }] of Object.entries(endpoint.parameters)) {
    const value = query[wireName]
    if (typeof value === 'string') texts[name] = value
  }
  return texts as { readonly [K in keyof P]?: string }
}
