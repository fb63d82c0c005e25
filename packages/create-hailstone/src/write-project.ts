import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageNameFor } from './target-folder.ts'
import type { CopiedTemplate } from './templates.ts'

const templatesFolder = fileURLToPath(new URL('../dist/templates/', import.meta.url))

type Manifest = {
  readonly name: string
  readonly scripts: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

/** Returns true if this version of Node runs TypeScript as it is. */
function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

/** Returns the manifest of a project. On a Node that cannot run TypeScript, `tsx` runs it. */
export function manifestFor(template: Manifest, name: string, nodeVersion: string): Manifest {
  const { tsx = '', ...devDependencies } = template.devDependencies
  if (tsx === '' || runsTypeScript(nodeVersion)) return { ...template, name, devDependencies }
  const scripts = Object.fromEntries(
    Object.entries(template.scripts).map(([script, line]) => [
      script,
      // Not the command `tsx`: it runs Node as a child, and kills it if Ctrl-C is not acknowledged within 60 ms.
      line.replace(/\bnode (?=\S+\.ts\b)/g, () => 'node --import tsx '),
    ]),
  )
  // The program of esbuild, which tsx brings, comes as a package of its own: its script only looks for it.
  const allowScripts = { esbuild: false }
  return { ...template, name, scripts, devDependencies: { ...devDependencies, tsx }, allowScripts }
}

/**
 * Has a folder filled. If that fails, what was written is removed again.
 *
 * @throws what `write` throws
 */
export async function filled(folder: string, write: (into: string) => void | Promise<void>): Promise<void> {
  const into = resolve(folder)
  const created = firstMissing(into)
  const before = new Set(existsSync(into) ? readdirSync(into) : [])
  try {
    mkdirSync(into, { recursive: true })
    await write(into)
  } catch (error) {
    if (created !== undefined) rmSync(created, { recursive: true, force: true })
    else
      for (const name of readdirSync(into))
        if (!before.has(name)) rmSync(join(into, name), { recursive: true, force: true })
    throw error
  }
}

/** Copies the files of a template, under the name of their folder. */
export function copyTemplate(name: CopiedTemplate, into: string): void {
  cpSync(join(templatesFolder, name), into, { recursive: true, errorOnExist: true, force: false })
  renameSync(join(into, '_gitignore'), join(into, '.gitignore'))
  const path = join(into, 'package.json')
  const template = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const manifest = manifestFor(template, packageNameFor(into), process.versions.node)
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Returns the outermost folder of a path that is not there yet. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined
  return firstMissing(dirname(path)) ?? path
}
