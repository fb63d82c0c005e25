import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import { pay } from './readme-example.ts'

const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const readme = textOf('../README.md')

it('shows the example that is compiled here', () => {
  expect(readme).toContain(textOf('./readme-example.ts').trim())
})

it('shows an example that works', async () => {
  await using network = await startLocalNetwork({ blockTimeMs: 200, seed: 'readme' })
  const [from, to] = network.accounts.developers
  if (from === undefined || to === undefined) throw new Error('no developers')
  expect(await pay(network.apiUrl, from.privateKey, to.address)).toMatch(/^confirmed: 24\.9 \w+ arrived$/)
})

/** Every code that a file of this package raises, or that reaches its users from the values it reads. */
function raisedCodes(): readonly string[] {
  const folder = fileURLToPath(new URL('../src/', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const codes = sources.flatMap((name) =>
    [...readFileSync(folder + name, 'utf8').matchAll(/new NodeError\(\s*'([A-Z_]+)'/g)].map(
      ([, code]) => code ?? '',
    ),
  )
  return [...new Set([...codes, 'PRIVATE_KEY_MALFORMED'])].sort()
}

it('explains every error code that the sources raise, and no other', () => {
  const explained = [...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code ?? '')
  expect(explained).toStrictEqual(raisedCodes())
})
