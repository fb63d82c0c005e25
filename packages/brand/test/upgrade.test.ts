import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandName, readWords } from '../src/command/command-options.ts'
import { runCommand } from '../src/command/run-command.ts'
import { upgradeCommand } from '../src/command/upgrade-command.ts'
import { checkBrandFolder } from '../src/files/check-brand-folder.ts'
import { loadBrandConfig } from '../src/files/load-brand-config.ts'
import { SCHEMA_VERSION } from '../src/schema/brand-schema.ts'

const schemas = fileURLToPath(new URL('schemas/', import.meta.url))

describe('brands of every schema version', () => {
  it('are there, one for each version that was ever published', async () => {
    const versions = Array.from({ length: SCHEMA_VERSION }, (_, at) => String(at + 1))
    expect((await readdir(schemas)).toSorted()).toStrictEqual(versions)
    for (const version of versions)
      expect(JSON.parse(await readFile(join(schemas, version, 'brand.json'), 'utf8')).schema).toBe(
        Number(version),
      )
  })

  it('are read without an error', async () => {
    for (const version of await readdir(schemas)) {
      const { findings } = await checkBrandFolder({
        folder: join(schemas, version),
        environment: 'dev',
        target: 'web',
      })
      const isOld = Number(version) < SCHEMA_VERSION
      // A setting that the app ignores is named, and stops nothing.
      const ignored: readonly string[] = ['setting-without-effect', 'setting-removed']
      const names = findings.map(({ name }) => name).filter((name) => !ignored.includes(name))
      expect(names).toStrictEqual(isOld ? ['schema-older'] : [])
      expect(findings.some(({ severity }) => severity === 'error')).toBe(false)
    }
  })
})

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'upgrade-'))
  await cp(join(schemas, '1'), cwd, { recursive: true })
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

/** Two schema versions that come after the first, as a later release would have them. */
const later = {
  newest: 3,
  steps: {
    1: ({ id, ...brand }: Record<string, unknown>) => ({ ...brand, key: id }),
    2: ({ telemetry: _, ...brand }: Record<string, unknown>) => ({ ...brand, added: true }),
  } as never,
}

async function upgrade(words: readonly string[], steps = {}) {
  const out: string[] = []
  const put = (line: string) => void out.push(line)
  const io = { cwd, write: put, complain: put }
  const code = await upgradeCommand(readWords('upgrade' as CommandName, words), io, steps)
  return { code, said: out.join('\n') }
}

const text = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8')

describe('hailstone-brand upgrade', () => {
  it('says that a brand of the newest version needs nothing, and writes nothing', async () => {
    const before = await text('brand.json')
    expect(await upgrade([])).toStrictEqual({
      code: 0,
      said: `brand.json has the newest schema version, ${SCHEMA_VERSION}. Nothing to do.`,
    })
    expect([await text('brand.json'), (await readdir(cwd)).toSorted()]).toStrictEqual([
      before,
      ['assets', 'brand.json'],
    ])
  })

  it('prints with --check what it would write, ends with 1, and writes nothing', async () => {
    const before = await text('brand.json')
    const { code, said } = await upgrade(['--check'], later)
    expect([code, said]).toStrictEqual([1, expect.stringContaining('~ schema  1 → 3')])
    for (const line of [
      '+ added  true',
      '- id  "version-one"',
      '+ key  "version-one"',
      '- telemetry.enabled  false',
    ])
      expect(said.split('\n')).toContain(line)
    expect([await text('brand.json'), (await readdir(cwd)).toSorted()]).toStrictEqual([
      before,
      ['assets', 'brand.json'],
    ])
  })

  it('climbs step by step, keeps the file before, and needs nothing a second time', async () => {
    const before = await text('brand.json')
    expect((await upgrade([], later)).code).toBe(0)
    expect(await text('brand.json.before')).toBe(before)
    const { telemetry: _, id, ...rest } = JSON.parse(before)
    expect(JSON.parse(await text('brand.json'))).toStrictEqual({ ...rest, key: id, added: true, schema: 3 })
    expect((await upgrade([], later)).said).toContain('Nothing to do')
  })

  it('changes a program in place, with its comments', async () => {
    const data = await text('brand.json')
    await rm(join(cwd, 'brand.json'))
    const program = `import { defineBrand } from '@hailstone/white-label'\n// Ours.\nexport default defineBrand(${data})`
    await writeFile(join(cwd, 'brand.ts'), program)
    const { code, said } = await upgrade([], later)
    expect([code, said]).toStrictEqual([0, expect.stringContaining('the file before is brand.ts.before')])
    expect(await text('brand.ts')).toMatch(
      /^import \{ defineBrand \} from '@hailstone\/white-label'\n\/\/ Ours\.\n[\s\S]*"schema": 3,/,
    )
    expect((await loadBrandConfig(cwd)).config).toMatchObject({ schema: 3, key: 'version-one' })
    expect(await text('brand.ts.before')).toBe(program)
  })

  it('touches no brand that it cannot read', async () => {
    for (const schema of ['"one"', '99']) {
      const broken = (await text('brand.json')).replace(/"schema": [^,]+/, () => `"schema": ${schema}`)
      await writeFile(join(cwd, 'brand.json'), broken)
      const { code, said } = await upgrade([])
      expect([code, said]).toStrictEqual([1, expect.stringMatching(/E0(?:18|06)[\s\S]*Nothing was written/)])
      expect(await text('brand.json')).toBe(broken)
    }
  })

  it('is a command with options of its own', async () => {
    const out: string[] = []
    const put = (line: string) => void out.push(line)
    const io = { cwd, write: put, complain: put }
    expect(await runCommand(['upgrade', '--check'], io)).toBe(0)
    expect(await runCommand(['upgrade', '--online'], io)).toBe(1)
    expect(await runCommand(['upgrade', 'one', 'two'], io)).toBe(1)
    expect(out.join('\n')).toMatch(/newest schema version[\s\S]*no option --online[\s\S]*two is too much/)
  })
})
