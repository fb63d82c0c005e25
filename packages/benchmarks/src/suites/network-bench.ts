import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('../../../local-network/', import.meta.url))

/** The measurements that reach into the store are the local network's own; they are compiled when they are wanted. */
export async function benchOf<T>(name: string): Promise<T> {
  const tsc = join(folder, 'node_modules', '.bin', 'tsc')
  const done = spawnSync(tsc, ['-p', 'tsconfig.bench.json'], { cwd: folder, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the measurements do not compile:\n${done.stdout}${done.stderr}`)
  return (await import(pathToFileURL(join(folder, 'bench', 'dist', 'bench', `${name}.js`)).href)) as T
}
