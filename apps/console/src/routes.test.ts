import { expect, it } from 'vitest'
import { openApi } from './routes.ts'

it('the OpenAPI document is made once, however often it is requested', () => {
  const first = openApi()
  expect(first).toMatchObject({ openapi: expect.stringMatching(/^3/) })
  expect(openApi()).toBe(first)
})
