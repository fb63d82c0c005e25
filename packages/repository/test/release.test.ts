import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
// @ts-expect-error -- a script of the repository, without types
import { assertTag, attachDocuments } from '../../../scripts/release.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const release = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...words], { cwd: root, encoding: 'utf8' })

it('nothing is released while an address is a placeholder', () => {
  const project = readFileSync(join(root, 'scripts/project.mjs'), 'utf8')
  const open = project.match(/'https:\/\/[^']+\.invalid[^']*'/g) ?? []
  const { status, stderr } = release('check')
  expect(status).toBe(open.length > 0 ? 1 : 0)
  for (const address of open) expect(stderr).toContain(address.slice(1, -1))
})

it('a tag that is not the version of the packages is refused by the name of one', () => {
  expect(() => assertTag('v0.2.0', [{ name: '@hailstone/client', version: '0.1.0' }])).toThrow(
    'the tag v0.2.0 is not the version of @hailstone/client, 0.1.0',
  )
  expect(() => assertTag('v1.0.0', [{ name: 'hailstone', version: '1.0.0' }])).not.toThrow()
})

it('a step that is not there is refused with those that are', () => {
  const { status, stderr } = release('pubish')
  expect([status, stderr]).toStrictEqual([1, 'The steps are check, pack, publish, github, published.\n'])
})

it('a release has the documents of the packages beside them, as its workflow attaches them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-release-'))
  attachDocuments(folder)
  const titles = ['openapi.json', 'brand.schema.json', 'config.schema.json'].map((name) => {
    const { title, info = { title } } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return info.title
  })
  expect(titles).toStrictEqual([
    'Hailstone network',
    'Brand of a mining app',
    'Configuration of the command hailstone',
  ])
  const others = readdirSync(folder).filter((name) => !name.endsWith('.json'))
  rmSync(folder, { recursive: true })
  expect(others).toStrictEqual([])
  const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
  expect(workflow).toContain('node scripts/release.mjs github packed')
})

it('all packages that are published have one version: Changesets moves them together', () => {
  const { fixed } = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'))
  expect(fixed).toStrictEqual([['@hailstone/*', 'hailstone', 'create-hailstone', 'hailstone-*']])
})
