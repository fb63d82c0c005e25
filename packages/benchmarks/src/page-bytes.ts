import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'

/** Bytes of a page, by `gzip -9`. */
export type PageBytes = {
  /** The one file that everything is in which is loaded before the first line runs. */
  readonly atOnce: number
  /** What `import()` brings when it is needed, together. */
  readonly later: number
}

const leftOut: Plugin = {
  name: 'later',
  setup: ({ onResolve }) => {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * What a page loads that uses these names, minified by esbuild for es2022 (P-13). The tests and `npm run bench` both
 * measure with this.
 *
 * @param code a module that exports the names
 * @param resolveDir from where its imports are looked for
 */
export async function pageBytes(code: string, resolveDir: string): Promise<PageBytes> {
  const atOnce = await sizeOf({ code, resolveDir, plugins: [leftOut] })
  return { atOnce, later: (await sizeOf({ code, resolveDir, plugins: [] })) - atOnce }
}

async function sizeOf(parameters: {
  readonly code: string
  readonly resolveDir: string
  readonly plugins: Plugin[]
}): Promise<number> {
  const { code, resolveDir, plugins } = parameters
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
    plugins,
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  return gzipSync(file.contents, { level: 9 }).byteLength
}
