import { expect, it } from 'vitest'
import { publishedText } from '../src/reference/index.ts'

/** Update with `npx vitest run test/openapi.test.ts -u`. */
it('publishes the document that the endpoint definitions give', async () => {
  await expect(publishedText()).toMatchFileSnapshot('../openapi.json')
})
