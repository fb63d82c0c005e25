import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * The paying program in one file: a life that lasts a few tenths of a second should not spend them on reading
 * two hundred modules.
 *
 * @param folder where it is put
 * @returns its path
 */
export async function bundleChild(folder) {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('./child.mjs', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'child.mjs' } },
    },
  })
  return join(folder, 'child.mjs')
}
