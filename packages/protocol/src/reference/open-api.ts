import type { ReferenceGroup } from './endpoint-reference.ts'
import { errorComponents } from './error-responses.ts'
import { guides } from './guides.ts'
import { type DescribedOperation, operationOf } from './operation.ts'
import { referenceGroups } from './references.ts'

export type OpenApiOptions = {
  /** Base of the paths, absolute or relative to the page. */
  readonly serverUrl: string
  /** @default 'Hailstone network' */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** @default '1' */
  readonly version?: string | undefined
  /** Additional groups of endpoints of this server. */
  readonly moreGroups?: readonly ReferenceGroup[] | undefined
}

/** An OpenAPI 3.1 document: plain JSON. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** Empty: no authentication. */
  readonly security: readonly []
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: typeof errorComponents
}

const INTRODUCTION = [
  'The HTTP interface of a proof-of-activity network, printed from the definitions its server and its client share.',
  'Units are whole numbers of the smallest part of a token and can exceed what a JavaScript number holds.',
  'A 400 or 404 stands where the public network never answers. A body of zero length is a regular answer where a description says so.',
  'Examples were recorded; long lists in them are cut.',
].join(' ')

const DESCRIPTION = [INTRODUCTION, ...guides].join('\n\n')

/** Prints the API reference from the endpoint definitions and the meanings of their members. */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { serverUrl, title = 'Hailstone network', version = '1', description = DESCRIPTION } = options
  const groups = [...referenceGroups, ...(options.moreGroups ?? [])]
  const paths: Record<string, Record<string, DescribedOperation>> = {}
  for (const group of groups) {
    for (const reference of group.endpoints) {
      const { path, method } = reference.endpoint
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(reference, group) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl, description: 'This network' }],
    security: [],
    tags: groups.map((group) => ({ name: group.name, description: group.description })),
    paths,
    components: errorComponents,
  }
}
