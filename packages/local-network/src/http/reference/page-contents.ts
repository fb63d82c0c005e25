import type { OpenApiDocument, WireSchema } from '@hailstone/protocol/reference'

/** One line of the table of contents. */
export type ContentsEntry = {
  readonly id: string
  readonly method: string
  /** From the root of the server. */
  readonly path: string
  readonly summary: string
  /** Names of parameters and members, which search finds too. */
  readonly words: string
}

/** Content of the reference page before any operation is opened. */
export type PageContents = {
  readonly title: string
  readonly version: string
  /** CommonMark, with a heading for each guide. */
  readonly description: string
  readonly groups: readonly {
    readonly name: string
    readonly description: string
    readonly entries: readonly ContentsEntry[]
  }[]
}

function namesIn(schema: WireSchema | undefined, names: Set<string>): void {
  if (schema === undefined) return
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    names.add(name)
    namesIn(member, names)
  }
  namesIn(schema.items, names)
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) namesIn(one, names)
}

type Answered = { readonly content?: Readonly<Record<string, { readonly schema?: WireSchema }>> }

export function pageContents({ info, servers, tags, paths }: OpenApiDocument): PageContents {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const names = new Set(operation.parameters.map(({ name }) => name))
      const contents = [operation.requestBody, operation.responses['200'] as Answered | undefined]
      for (const content of contents)
        for (const { schema } of Object.values(content?.content ?? {})) namesIn(schema, names)
      const own = operation.servers as OpenApiDocument['servers'] | undefined
      return {
        group: String((operation.tags as readonly string[])[0]),
        id: operation.operationId,
        method: method.toUpperCase(),
        path: `${(own ?? servers)[0]?.url ?? ''}${path}`,
        summary: String(operation.summary),
        words: [...names].join(' '),
      }
    }),
  )
  return {
    title: info.title,
    version: info.version,
    description: info.description,
    groups: tags.map(({ name, description }) => ({
      name,
      description,
      entries: entries.filter(({ group }) => group === name).map(({ group, ...entry }) => entry),
    })),
  }
}
