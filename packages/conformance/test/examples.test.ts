import { createAnswerCheck, openApiDocument, referenceGroups } from '@hailstone/protocol/reference'
import { beforeAll, describe, expect, test } from 'vitest'
import { collectExamples, printExamples } from '../src/examples/collect-examples.ts'

type Examples = Awaited<ReturnType<typeof collectExamples>>

let examples: Examples
beforeAll(async () => {
  examples = await collectExamples()
})

test('the examples of the reference are the recordings, and are up to date', async () => {
  await expect(printExamples(examples)).toMatchFileSnapshot('../../protocol/src/reference/examples.ts')
})

const references = referenceGroups.flatMap((group) => group.endpoints)

describe.each(references)('$endpoint.method $endpoint.path', ({ endpoint }) => {
  const name = `${endpoint.method} ${endpoint.path}`

  test('has an example, and every example is an answer as it is described', () => {
    const check = createAnswerCheck(openApiDocument({ serverUrl: '/api/v1' }))
    const list = examples.get(name) ?? []
    expect(list.length).toBeGreaterThan(0)
    for (const { answer } of list) {
      const contentType = endpoint.form === 'text' ? 'text/plain' : 'application/json'
      expect(check({ ...endpoint, status: 200, contentType, body: answer })).toBeNull()
    }
  })
})

/** Members that neither a recording nor a local chain shows: no leader signs, nothing is exchanged, no node is newer. */
const neverShown: readonly string[] = [
  '/network_info.dex',
  '/network_info.bridge',
  '/macroblock_by_height.kblock.leader',
  '/macroblock.kblock.leader',
  '/lastblocks.blocks[].leader',
  '/page.kblocks[].leader',
  '/search[].info[].leader',
  '/page.kblocks[].leader_sign.type',
  '/search[].info[].leader_sign.type',
]

test('every member of every answer has an example', () => {
  const { paths } = openApiDocument({ serverUrl: '/api/v1' })
  const without: string[] = []
  const walk = (schema: Record<string, unknown>, at: string): void => {
    const children = [
      ...Object.entries((schema.properties ?? {}) as object).map(([key, one]) => [one, `${at}.${key}`]),
      ...(schema.items === undefined ? [] : [[schema.items, `${at}[]`]]),
      ...(typeof schema.additionalProperties === 'object' ? [[schema.additionalProperties, `${at}.*`]] : []),
      ...((schema.anyOf ?? []) as object[]).map((one) => [one, at]),
    ] as [Record<string, unknown>, string][]
    const isObject = children.length > 0
    if (!isObject && schema.description !== undefined && schema.examples === undefined) without.push(at)
    for (const [child, place] of children) walk(child, place)
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const { responses } of Object.values(operations)) {
      const { content } = responses['200'] as { content: Record<string, { schema: Record<string, unknown> }> }
      for (const { schema } of Object.values(content)) walk(schema, path)
    }
  }
  expect(without.sort()).toEqual([...neverShown].sort())
})
