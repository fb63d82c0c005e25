import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const packageFolder = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

async function newest(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sources = files.filter((file) => file.isFile() && !file.name.includes('.test.'))
  const times = await Promise.all(
    sources.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  )
  return Math.max(0, ...times)
}

/** Programs of their own run what is built; it is built anew when the sources have changed since. */
export async function buildPackages(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const cwd = packageFolder(name)
    const built = await newest(join(cwd, 'dist')).catch(() => 0)
    if (built > (await newest(join(cwd, 'src')))) continue
    const compiler = join(cwd, 'node_modules', '.bin', 'tsc')
    await promisify(execFile)(compiler, ['-p', 'tsconfig.build.json'], { cwd })
  }
}
