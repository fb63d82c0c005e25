import type { WireSchema } from '@hailstone/protocol/reference'
import type { OperationExample } from '../src/http/reference/chain-examples.ts'
import type { ContentsEntry, PageContents } from '../src/http/reference/page-contents.ts'

export type { ContentsEntry, OperationExample, PageContents, WireSchema }

export type Parameter = {
  readonly name: string
  readonly required: boolean
  readonly description: string
}

type Media = {
  readonly schema: WireSchema
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

export type Response = {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

/** The members of an OpenAPI operation that the page shows. */
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
}

const text = document.getElementById('contents')?.textContent ?? '{}'

/** The table of contents, which came with the page. */
export const contents = JSON.parse(text) as PageContents

export const entries: readonly ContentsEntry[] = contents.groups.flatMap((group) => group.entries)

async function read(path: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(path, { signal })
  if (!response.ok) throw new Error(`The node answered ${path} with status ${response.status}.`)
  return response.json()
}

export const readOperation = async (id: string, signal: AbortSignal): Promise<Operation> =>
  (await read(`/docs/operations/${id}`, signal)) as Operation

/** Values of the chain as it is now, by operation. */
export const readExamples = async (
  signal: AbortSignal,
): Promise<Readonly<Record<string, OperationExample>>> =>
  (await read('/docs/examples', signal)) as Readonly<Record<string, OperationExample>>
