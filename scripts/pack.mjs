// Builds and packs every package that is published into `packed`, or into the folder that is named. Prints one line.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, install } from './bootstrap.mjs'
import { placeOf, publishedFolders } from './project.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = resolve(process.argv[2] ?? join(root, 'packed'))

install()
build()
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (name.endsWith('.tgz')) rmSync(join(folder, name))
const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
for (const name of publishedFolders()) {
  const at = join(root, placeOf(name))
  const manifest = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
  // The archives of `@hailstone/brand` and `hailstone-brand` would have one name.
  const prefix = manifest.name.startsWith('@') ? 'hailstone' : 'unscoped'
  const file = `${prefix}-${name}-${manifest.version}.tgz`
  execFileSync(pnpm, ['pack', '--out', join(folder, file)], {
    cwd: at,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
process.stdout.write(`${packed.length} packages are in ${folder}\n`)
