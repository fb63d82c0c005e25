import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { printCodesPage } from '../findings/print-codes-page.ts'
import { printBrandTypes } from './print-brand-types.ts'
import { printJsonSchema } from './print-json-schema.ts'

const packageFile = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

it('keeps the types of a brand as the schema prints them', async () => {
  await expect(printBrandTypes()).toMatchFileSnapshot(packageFile('src/brand-base.ts'))
})

it('exports the JSON Schema that the schema prints, as the build wrote it', () => {
  const built: unknown = createRequire(import.meta.url)('@hailstone/brand/brand.schema.json')
  expect(built).toStrictEqual(JSON.parse(printJsonSchema()))
})

it('keeps the page of codes as the table prints it', async () => {
  await expect(printCodesPage()).toMatchFileSnapshot(packageFile('CODES.md'))
})
