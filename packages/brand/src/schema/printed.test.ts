import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { printCodesPage } from '../findings/print-codes-page.ts'
import { printBrandTypes } from './print-brand-types.ts'
import { printJsonSchema } from './print-json-schema.ts'

const packageFile = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

it('keeps the types of a brand as the schema prints them', async () => {
  await expect(printBrandTypes()).toMatchFileSnapshot(packageFile('src/brand-base.ts'))
})

it('keeps the JSON Schema as the schema prints it', async () => {
  await expect(printJsonSchema()).toMatchFileSnapshot(packageFile('brand.schema.json'))
})

it('keeps the page of codes as the table prints it', async () => {
  await expect(printCodesPage()).toMatchFileSnapshot(packageFile('CODES.md'))
})
