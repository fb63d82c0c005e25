import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles the page and the worker of the live miner. */
export const buildLive = (outdir) =>
  build({
    entryPoints: ['page', 'worker'].map((name) => fileURLToPath(new URL(`live/${name}.ts`, import.meta.url))),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir,
    logLevel: 'warning',
  })
