import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
// @ts-expect-error -- a program without types
import * as program from '../snippets.mjs'

type Page = { readonly path: string; readonly text: string }
const { pagesOfDocs, withSnippets } = program as {
  readonly pagesOfDocs: () => readonly Page[]
  readonly withSnippets: (text: string) => string
}

/** Pages of the site. Tests of packages run the recipes. */
const pages = pagesOfDocs().filter(({ path }) => !path.startsWith('docs/recipes/'))
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

const settings = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, block = '']) => ({ path, block })),
)

it.each(settings)('shows settings that the command takes: $path', ({ block }) => {
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-settings-'))
  const file = join(folder, 'hailstone.toml')
  writeFileSync(file, block)
  const bin = fileURLToPath(new URL('../../../packages/hailstone/dist/bin.js', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'config', 'check', file], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect([status, stdout + stderr]).toStrictEqual([0, expect.stringContaining('all known')])
})

it('shows settings, and creates projects with commands that the rehearsal runs', () => {
  expect(settings.length).toBeGreaterThan(1)
  const rehearsed = readFileSync(new URL('../../../scripts/rehearsal/commands.mjs', import.meta.url), 'utf8')
  const [creating, ...others] = pages.filter(({ text }) => text.includes('npm create hailstone'))
  expect(others).toEqual([])
  expect(rehearsed).toContain(`'${creating?.path}'`)
})

it('shows every snippet somewhere', () => {
  const folder = fileURLToPath(new URL('../snippets/', import.meta.url))
  const files = readdirSync(folder).map((name) => `apps/docs/snippets/${name}`)
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((file) => !marked.includes(file))).toEqual([])
})

it('shows snippets that a test runs', () => {
  const run = readFileSync(new URL('snippet-runs.gate.test.ts', import.meta.url), 'utf8')
  const site = readFileSync(new URL('site.night.test.ts', import.meta.url), 'utf8')
  const isRun = (file: string): boolean =>
    file.startsWith('packages/client/test/readme/') ||
    run.includes(`'${file.replace('apps/docs/snippets/', '')}'`) ||
    (file.startsWith('apps/docs/live/') && site.includes('live miner'))
  expect(marked.filter((file) => !isRun(file))).toEqual([])
})

it('the pages of the recipes hold the very files that are run', () => {
  const recipes = fileURLToPath(new URL('../../../packages/published/recipes/', import.meta.url))
  const names = readdirSync(recipes)
  expect(names.length).toBeGreaterThan(3)
  for (const name of names) {
    const page = pagesOfDocs().find(({ path }) => path === `docs/recipes/${name}.md`)?.text
    for (const file of readdirSync(join(recipes, name), { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || /lock\.yaml$|layout\.jsx$|page\.jsx$/.test(file.name)) continue
      const text = readFileSync(join(file.parentPath, file.name), 'utf8')
      expect(page, `${name}.md: ${file.name}`).toContain(text.trim())
    }
  }
})
