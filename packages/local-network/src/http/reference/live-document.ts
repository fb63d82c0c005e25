import type { OpenApiDocument } from '@hailstone/protocol/reference'
import type { OperationExample } from './chain-examples.ts'
import { typeScriptSample } from './typescript-sample.ts'

type Operation = OpenApiDocument['paths'][string][string]

const VALUES =
  'Forms and samples hold values of this chain as it was when the page was opened; load it again for new ones.'
const CHANGES = '**Changes this network.** Nothing is sent before you press Send.'

/** The body comes before recorded ones, so that a form begins with it. */
function withBody({ requestBody }: Operation, body: string | undefined) {
  if (requestBody === undefined || body === undefined) return {}
  const content = Object.entries(requestBody.content).map(([type, media]) => [
    type,
    {
      ...media,
      examples: { here: { summary: 'For this chain', value: JSON.parse(body) }, ...media.examples },
    },
  ])
  return { requestBody: { ...requestBody, content: Object.fromEntries(content) } }
}

function withExample(
  { operation, method, url }: { readonly operation: Operation; readonly method: string; readonly url: URL },
  { values, body, missing }: OperationExample,
): Operation {
  const notes = [operation.description, ...missing, ...(method === 'get' ? [] : [CHANGES])]
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return {
    ...operation,
    description: notes.filter((note) => note !== undefined).join('\n\n'),
    parameters: operation.parameters.map(({ example: _, ...parameter }) => {
      const value = values[parameter.name]
      return value === undefined ? parameter : { ...parameter, example: value }
    }),
    ...withBody(operation, body),
    'x-codeSamples': [typeScriptSample({ operation, url, values, body })],
  }
}

const nothing: OperationExample = { values: {}, missing: [] }

/**
 * Returns the document with values of the running chain in place of recorded ones, and with samples that use them.
 *
 * @param examples by method and path
 * @param origin of the server, for the samples
 */
export function liveDocument(
  document: OpenApiDocument,
  examples: Readonly<Record<string, OperationExample>>,
  origin: string,
): OpenApiDocument {
  const described = (path: string, method: string, operation: Operation): Operation => {
    const own = operation.servers as OpenApiDocument['servers'] | undefined
    const [{ url: base = '' } = {}] = own ?? document.servers
    const server = origin + base
    // Without it the form of Scalar looks for the document's server among those of the operation, and takes none.
    const chosen = own === undefined ? {} : { servers: [{ url: server }], 'x-scalar-selected-server': server }
    const example = examples[`${method.toUpperCase()} ${path}`] ?? nothing
    const url = new URL(server + path)
    return withExample({ operation: { ...operation, ...chosen }, method, url }, example)
  }
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, described(path, method, operation)]),
    ),
  ])
  const info = { ...document.info, description: `${VALUES}\n\n${document.info.description}` }
  return { ...document, info, paths: Object.fromEntries(paths) }
}
