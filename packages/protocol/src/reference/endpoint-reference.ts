import type { Parameter } from '../endpoints/define-endpoint.ts'
import type { Schema } from '../schema/record.ts'
import type { Meanings } from './meanings.ts'

/** The part of an endpoint definition that the reference is printed from. */
export type DescribedEndpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly body?: Schema<unknown>
  readonly answer: Schema<unknown>
  readonly mayBeEmpty: boolean
  readonly form?: 'json' | 'text' | undefined
}

/** Documentation of an endpoint besides its definition. */
export type EndpointReference = {
  readonly endpoint: DescribedEndpoint
  /** One line. */
  readonly summary: string
  readonly description?: string | undefined
  /** Meanings by name on the wire. */
  readonly parameters?: Meanings | undefined
  /** Meanings of the answer's members by path. */
  readonly answer: Meanings
  /** Meanings of the body's members by path. */
  readonly body?: Meanings | undefined
  /** Message of a local network with 404, where the public one is silent. */
  readonly unknown?: string | undefined
  /** Message of a local network with 400, where the public one is silent. */
  readonly missing?: string | undefined
  /** Message for a value that cannot be parsed. */
  readonly malformed?: string | undefined
  /** Condition of an answer with 503. */
  readonly unavailable?: string | undefined
}

/** Endpoints shown together on the page. */
export type ReferenceGroup = {
  readonly name: string
  readonly description: string
  readonly endpoints: readonly EndpointReference[]
  /** Base of the paths, if it differs from the others. */
  readonly serverUrl?: string | undefined
}
