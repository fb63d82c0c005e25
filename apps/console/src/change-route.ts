import type { z } from 'zod'

/** One change of a subject such as the alerts. */
export type ChangeRoute<Subject> = {
  /** Name in the description of the API. */
  readonly name: string
  readonly role: 'admin'
  /** Words for the log of changes. */
  readonly action: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly summary: string
  /** Null if the request has none. */
  readonly body: z.ZodType | null
  /** Null for an answer without a body. */
  readonly answer: z.ZodType | null
  /** Resolves with the answer, whose `id` the log has; null if nothing has the one of the path. */
  readonly run: (subject: Subject, request: { readonly id: string; readonly body: never }) => Promise<unknown>
}
