import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * The paying program in one file: a life that lasts a few tenths of a second should not spend them on reading and
 * compiling two hundred modules. `start-child.cjs` beside it keeps what was compiled.
 *
 * @param folder where it is put
 * @returns what is to be started
 */
export async function bundleChild(folder) {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: file('./child.mjs'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'child.cjs', format: 'cjs', codeSplitting: false } },
    },
  })
  const startFile = join(folder, 'start-child.cjs')
  await copyFile(file('./start-child.cjs'), startFile)
  return startFile
}
