import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Returns the bytes of a page that uses these names, by `gzip -9`, minified by esbuild for es2022 (P-13), including
 * everything that `import()` would load later. The tests and `npm run bench` both measure with it.
 *
 * @param code a module that exports the names
 * @param resolveDir from where its imports are looked for
 */
export async function pageBytes(code: string, resolveDir: string): Promise<number> {
  const { outputFiles = [] } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  return gzipSync(file.contents, { level: 9 }).byteLength
}
