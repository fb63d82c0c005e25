import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { publishedDocument } from '../src/reference/index.ts'

it('exports the document that the endpoint definitions give, as the build wrote it', () => {
  const built: unknown = createRequire(import.meta.url)('@hailstone/protocol/openapi.json')
  expect(built).toStrictEqual(JSON.parse(JSON.stringify(publishedDocument())))
})
