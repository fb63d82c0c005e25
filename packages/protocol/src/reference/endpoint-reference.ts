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

/** What people want to know of an endpoint besides its definition. */
export type EndpointReference = {
  readonly endpoint: DescribedEndpoint
  /** One line. */
  readonly summary: string
  readonly description?: string | undefined
  /** By the name on the wire. */
  readonly parameters?: Meanings | undefined
  /** Members of the answer by their path. */
  readonly answer: Meanings
  /** Members of the body by their path. */
  readonly body?: Meanings | undefined
  /** What a local network says with 404 and the public one with silence. */
  readonly unknown?: string | undefined
  /** What a local network says with 400 and the public one with silence. */
  readonly missing?: string | undefined
  /** The same for a value that cannot be read. */
  readonly malformed?: string | undefined
  /** When the answer comes with 503. */
  readonly unavailable?: string | undefined
}

/** Endpoints that belong together on the page. */
export type ReferenceGroup = {
  readonly name: string
  readonly description: string
  readonly endpoints: readonly EndpointReference[]
  /** Where its paths begin, when not where the others do. */
  readonly serverUrl?: string | undefined
}
