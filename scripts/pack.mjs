// Builds and packs every package that is published into `packed`, or into the folder that is named. Prints one line.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, install } from '../apps/demo/bootstrap.mjs'
import { publishedFolders } from './project.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = resolve(process.argv[2] ?? join(root, 'packed'))

install()
build()
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (name.endsWith('.tgz')) rmSync(join(folder, name))
const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
for (const name of publishedFolders()) {
  const at = { cwd: join(root, 'packages', name), stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(pnpm, ['pack', '--pack-destination', folder], at)
}
const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
process.stdout.write(`${packed.length} packages are in ${folder}\n`)
