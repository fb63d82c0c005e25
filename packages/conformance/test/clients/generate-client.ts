import { readFile } from 'node:fs/promises'
import { InputData, JSONSchemaInput, type LanguageName, quicktype } from 'quicktype-core'

/** The part of an OpenAPI document that the generator uses. */
type Operation = {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly example?: unknown }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

export type Document = {
  readonly components: object
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** An operation with JSON answers, and its path. */
export type TypedOperation = Operation & { readonly path: string; readonly schema: object }

export const readDocument = async (file: string): Promise<Document> =>
  JSON.parse(await readFile(file, 'utf8')) as Document

/** Operations with JSON answers. Posted bodies and plain texts need no generated types. */
export const typedOperations = ({ paths }: Document): readonly TypedOperation[] =>
  Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema
    return get === undefined || schema === undefined ? [] : [{ ...get, path, schema }]
  })

/** Generates types with readers and writers for the answer of every operation, with a public generator. */
export async function generateTypes(document: Document, lang: LanguageName): Promise<string> {
  const schemas = new JSONSchemaInput(undefined)
  for (const { operationId, schema } of typedOperations(document)) {
    const whole = { ...schema, components: document.components }
    await schemas.addSource({ name: operationId, schema: JSON.stringify(whole) })
  }
  const inputData = new InputData()
  inputData.addInput(schemas)
  const { lines } = await quicktype({ inputData, lang, inferDateTimes: false, inferUuids: false })
  return lines.join('\n')
}
