import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileContents } from '@hailstone/runtime/node'
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

/** Returns the files of a template for a folder, whose name its package gets. */
export function templateFiles(name: CopiedTemplate, into: string): FileContents {
  const folder = join(templatesFolder, name)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const files = new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const target = relative(folder, path).split(sep).join('/')
      return [target === '_gitignore' ? '.gitignore' : target, new Uint8Array(readFileSync(path))] as const
    }),
  )
  const template = JSON.parse(new TextDecoder().decode(files.get('package.json'))) as Manifest
  const manifest = manifestFor(template, packageNameFor(into), process.versions.node)
  return files.set('package.json', new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`))
}
