import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '@hailstone/brand/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from './build-brand.ts'

const sources = join(appFolder(), 'native', 'device', 'android', 'src', 'main', 'java')
const hasJava = spawnSync('javac', ['-version']).status === 0

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'java-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the classes of Android and Capacitor that the plugin names, without their content. */
async function stubs(): Promise<ReadonlyMap<string, Uint8Array>> {
  const text = await readFile(join(appFolder(), 'test', 'android-stubs.txt'), 'utf8')
  const parts = text.split(/^=== (.+)$/m).slice(1)
  const encoder = new TextEncoder()
  return new Map(
    parts.flatMap((path, at) =>
      at % 2 === 0 ? [[`stubs/${path}`, encoder.encode(parts[at + 1])] as const] : [],
    ),
  )
}

const compile = (...files: readonly string[]) =>
  spawnSync(
    'javac',
    ['--release', '17', '-Xlint:all', '-Werror', '-d', 'classes', '-cp', 'stubs-classes', ...files],
    { cwd: folder, encoding: 'utf8' },
  )

describe('the Java of an Android project', () => {
  it.skipIf(!hasJava)(
    `check 25: compiles against the classes it names${hasJava ? '' : ' (left out: there is no javac)'}`,
    { timeout: 60_000 },
    async () => {
      const given = await stubs()
      await writeFiles(folder, given)
      const made = spawnSync('javac', ['--release', '17', '-d', 'stubs-classes', ...given.keys()], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(made.stderr).toBe('')
      const entries = await readdir(sources, { recursive: true })
      const files = entries.filter((name) => name.endsWith('.java')).map((name) => join(sources, name))
      expect(files).toHaveLength(1)
      const { status, stderr } = compile(...files)
      expect(stderr).toBe('')
      expect(status).toBe(0)
    },
  )

  it('has each method that the app calls, under the name by which it calls it', async () => {
    const java = await readFile(join(sources, 'app', 'device', 'DevicePlugin.java'), 'utf8')
    const offered = [
      ...java.matchAll(
        /@PluginMethod\s+(?:\/\/[^\n]*\s+)?(?:@SuppressWarnings\([^)]*\)\s+)?public void (\w+)\(PluginCall/g,
      ),
    ].map(([, name]) => name)
    const app = join(appFolder(), 'src')
    const texts = await Promise.all(
      (await readdir(app, { recursive: true }))
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => readFile(join(app, name), 'utf8')),
    )
    const called = [...texts.join('\n').matchAll(/'AppDevice', '(\w+)'/g)].map(([, name]) => name)
    expect(java).toContain('name = "AppDevice"')
    expect([...new Set(called)].sort()).toEqual(offered.sort())
  })
})
