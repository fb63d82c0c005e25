import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { linesSchema } from './lines-schema.ts'

const { oneOf } = linesSchema() as { readonly oneOf: readonly { properties: { event: { const: string } } }[] }
const names = oneOf.map(({ properties }) => properties.event.const)

it('has every event that a command writes by name', async () => {
  const written = new Set<string>()
  for (const path of await readdir(import.meta.dirname, { recursive: true })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
    const text = await readFile(`${import.meta.dirname}/${path}`, 'utf8')
    for (const [, name = ''] of text.matchAll(/\bevent: '(\w+)'/g)) written.add(name)
  }
  expect(written.size).toBeGreaterThan(5)
  expect([...written].filter((name) => !names.includes(name))).toStrictEqual([])
})

it('has a row for each event in the documentation', async () => {
  const page = await readFile(`${import.meta.dirname}/../../../docs/operations/json-lines.md`, 'utf8')
  const table = page.slice(page.indexOf('| Event |'))
  expect(names.filter((name) => !table.includes(`\`${name}\``))).toStrictEqual([])
})
