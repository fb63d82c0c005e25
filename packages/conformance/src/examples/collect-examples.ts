import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { type RecordedExample, referenceGroups } from '@hailstone/protocol/reference'
import { type NamedFile, recordedExamples } from './recorded-exchanges.ts'
import { serverExamples } from './server-examples.ts'

const SOURCES = ['recorded/http-1.json', 'recorded/http-2.json', 'vectors/api_responses.json']
const LEDGER = 'recorded/ledger-1.json'

async function read(path: string): Promise<JsonValue> {
  const url = new URL(`../../${path}`, import.meta.url)
  return parseJson(await readFile(fileURLToPath(url), 'utf8'), { limitBytes: 2 ** 28, limitDepth: 512 })
}

/**
 * Collects recorded exchanges of every endpoint by method and path; without a recording, answers of the real server.
 */
export async function collectExamples(): Promise<ReadonlyMap<string, readonly RecordedExample[]>> {
  const files: readonly NamedFile[] = await Promise.all(
    SOURCES.map(async (path) => ({ name: basename(path), file: await read(path) })),
  )
  const endpoints = referenceGroups.flatMap((group) => group.endpoints.map(({ endpoint }) => endpoint))
  const recorded = new Map(endpoints.map((endpoint) => [endpoint, recordedExamples(files, endpoint)]))
  const missing = endpoints.filter((endpoint) => recorded.get(endpoint)?.length === 0)
  const served = await serverExamples(await read(LEDGER), missing)
  return new Map(
    endpoints.map((endpoint) => {
      const own = recorded.get(endpoint) ?? []
      const examples = own.length > 0 ? own : (served.get(endpoint) ?? [])
      return [`${endpoint.method} ${endpoint.path}`, examples]
    }),
  )
}

const WIDTH = 110
const SHORT = 4

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Prints a member of an object literal as the workspace's formatter does. */
function member(indent: string, name: string, text: string): string {
  const line = `${indent}${name}: ${quoted(text)},`
  return line.length <= WIDTH || name.length <= SHORT
    ? line
    : `${indent}${name}:\n${indent}  ${quoted(text)},`
}

function printed({ source, query, body, answer }: RecordedExample): string {
  const members = [
    member('      ', 'source', source),
    member('      ', 'query', query),
    ...(body === undefined ? [] : [member('      ', 'body', body)]),
    member('      ', 'answer', answer),
  ]
  return `    {\n${members.join('\n')}\n    },`
}

/** Prints the source of the module with the examples of the reference. */
export function printExamples(examples: ReadonlyMap<string, readonly RecordedExample[]>): string {
  const entries = [...examples].map(([name, list]) => `  '${name}': [\n${list.map(printed).join('\n')}\n  ],`)
  return [
    "import type { RecordedExample } from './recorded-example.ts'",
    '',
    '/** Made by a test of the conformance package, `npx vitest run test/examples.test.ts -u`. Do not edit. */',
    'export const recordedExamples: Readonly<Record<string, readonly RecordedExample[]>> = {',
    ...entries,
    '}',
    '',
  ].join('\n')
}
