import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
// @ts-expect-error -- a program without types
import * as program from '../snippets.mjs'

type Page = { readonly path: string; readonly text: string }
const { pagesOfDocs, withSnippets } = program as {
  readonly pagesOfDocs: () => readonly Page[]
  readonly withSnippets: (text: string) => string
}

/** Pages of the site. Tests of packages run the recipes; the pages of operations are not on the site yet, nor run. */
const pages = pagesOfDocs().filter(({ path }) => !/^docs\/(?:recipes|operations)\//.test(path))
const marked = pages.flatMap(({ text }) =>
  [...text.matchAll(/<!-- snippet: (\S+) -->/g)].map(([, file = '']) => file),
)

describe.each(pages)('$path', ({ text }) => {
  it('shows its snippets as their files have them', () => {
    expect(withSnippets(text)).toBe(text)
  })

  it('has no code block without a file', () => {
    const blocks = [...text.matchAll(/(<!-- snippet: \S+ -->\n)?```(?:ts|tsx|js|mjs|jsx)\n/g)]
    expect(blocks.filter(([, mark]) => mark === undefined)).toEqual([])
  })
})

it('shows every snippet somewhere', () => {
  const folder = fileURLToPath(new URL('../snippets/', import.meta.url))
  const files = readdirSync(folder).map((name) => `apps/docs/snippets/${name}`)
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((file) => !marked.includes(file))).toEqual([])
})

it('shows snippets that a test runs', () => {
  const run = readFileSync(new URL('snippet-runs.test.ts', import.meta.url), 'utf8')
  const site = readFileSync(new URL('site.test.ts', import.meta.url), 'utf8')
  const isRun = (file: string): boolean =>
    file.startsWith('packages/client/test/readme/') ||
    run.includes(`'${file.replace('apps/docs/snippets/', '')}'`) ||
    (file.startsWith('apps/docs/live/') && site.includes('live miner'))
  expect(marked.filter((file) => !isRun(file))).toEqual([])
})
