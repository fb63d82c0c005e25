// Copies the templates into `dist`, where each says the versions that its projects ask for.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const from = join(here, 'templates')
const into = join(here, 'dist', 'templates')
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))

/** The block `catalog` of the workspace: name → version. */
const catalog = new Map(
  [
    .../^catalog:\n((?: {2}.*\n)+)/m
      .exec(readFileSync(join(here, '../../pnpm-workspace.yaml'), 'utf8'))[1]
      .matchAll(/^ {2}"?([^":]+)"?: (\S+)$/gm),
  ].map(([, name, locked]) => [name, locked]),
)

function rangeOf(name, asked) {
  if (asked.startsWith('workspace:')) return `^${version}`
  const locked = catalog.get(name)
  if (asked !== 'catalog:' || locked === undefined) throw new Error(`${name}: no range for ${asked}`)
  return `^${locked}`
}

/** Runs TypeScript on a Node that cannot; the command keeps it where that is so. */
const tsxFor = ({ scripts }) =>
  Object.values(scripts).some((line) => /\bnode \S+\.ts\b/.test(line)) ? { tsx: 'catalog:' } : {}

const ranges = (dependencies = {}) =>
  Object.fromEntries(Object.entries(dependencies).map(([name, asked]) => [name, rangeOf(name, asked)]))

/** Files that a template has in common with another, which has them: template → [the other, files]. */
const common = { react: ['page', ['dev.ts', 'src/style.css', 'public/icon.svg']] }

rmSync(into, { recursive: true, force: true })
for (const name of readdirSync(from)) {
  const at = join(into, name)
  const made = new Set(['node_modules', 'dist', 'builds', '.turbo', '.data'])
  cpSync(join(from, name), at, { recursive: true, filter: (path) => !made.has(path.split(/[\\/]/).at(-1)) })
  const [other, files] = common[name] ?? [name, []]
  for (const file of files)
    cpSync(join(from, other, file), join(at, file), { errorOnExist: true, force: false })
  // npm leaves a file of this name out of a package.
  renameSync(join(at, '.gitignore'), join(at, '_gitignore'))
  const { dependencies, devDependencies, ...manifest } = JSON.parse(
    readFileSync(join(at, 'package.json'), 'utf8'),
  )
  const text = JSON.stringify(
    {
      ...manifest,
      dependencies: ranges(dependencies),
      devDependencies: ranges({ ...devDependencies, ...tsxFor(manifest) }),
    },
    null,
    2,
  )
  writeFileSync(join(at, 'package.json'), `${text}\n`)
}
