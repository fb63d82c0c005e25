import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAddress } from '../../values/address.ts'
import { errorsDocument } from './errors-document.ts'

const root = new URL('../../../../../', import.meta.url)

it('lists every code in a file of a clone, to which the links of documents lead', async () => {
  await expect(errorsDocument()).toMatchFileSnapshot('../../../ERRORS.md')
})

it('is where an error leads to until the documentation has an address', () => {
  let docsUrl = ''
  try {
    parseAddress('x')
  } catch (error) {
    docsUrl = String(Reflect.get(Object(error), 'docsUrl'))
  }
  expect(docsUrl).not.toContain('.invalid')
  if (docsUrl.startsWith('https:')) return
  const [path = '', anchor = ''] = docsUrl.split('#')
  expect(readFileSync(new URL(path, root), 'utf8')).toMatch(new RegExp(`^## ${anchor}$`, 'im'))
})
