import type { WireSchema } from './leaf-forms.ts'
import type { OpenApiDocument } from './open-api.ts'
import { schemaProblem } from './schema-problem.ts'

/** An answer of a server, as sent. */
export type ServedAnswer = {
  readonly method: string
  /** Path as in the document: relative to the server, without query. */
  readonly path: string
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
}

type Response = {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: WireSchema & { readonly $ref?: string } }>>
}

const resolved = <T extends { readonly $ref?: string }>(document: OpenApiDocument, node: T): T => {
  if (node.$ref === undefined) return node
  const names = node.$ref.replace(/^#\//, '').split('/')
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document) as T
}

const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/**
 * Creates a check of answers against the document. It returns null if an answer is described there, else the fault.
 * An empty body with status 200 passes if the operation's description of 200 allows it.
 */
export const createAnswerCheck =
  (document: OpenApiDocument) =>
  (answer: ServedAnswer): string | null => {
    const { method, path, status, contentType = '', body } = answer
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) return `${method} ${path} is not described`
    const given = operation.responses[status] as (Response & { readonly description?: string }) | undefined
    if (given === undefined) return `status ${status} of ${method} ${path} is not described`
    if (body === '') return given.description?.includes('zero length') === true ? null : 'the body is empty'
    const [media = ''] = contentType.split(';')
    const described = resolved(document, given).content?.[media]
    if (described === undefined) return `content type "${contentType}" is not described`
    const schema = resolved(document, described.schema)
    if (media === 'text/plain') return schemaProblem(body, schema)
    const json = parsed(body)
    return json === null ? 'the body is not JSON' : schemaProblem(json.value, schema)
  }
