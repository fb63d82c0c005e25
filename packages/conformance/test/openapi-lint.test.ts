import { publishedText } from '@hailstone/protocol/reference'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'

test('a public linter finds nothing to say about the published document, at its strictest', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: publishedText(), absoluteRef: 'openapi.json', config })
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ).toEqual([])
})

test('the linter is awake: a document with a fault is found out', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const source = publishedText().replace('"operationId": "getHeight"', '"operationId": "getTx"')
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(problems.map(({ ruleId }) => ruleId)).toContain('operation-operationId-unique')
})
