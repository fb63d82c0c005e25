import { createRequire } from 'node:module'
import { dirname, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Goal, outcomeOf } from '../outcome.ts'
import { peer, peersFolder, peerVersion } from '../peers.ts'
import type { Suite } from '../suite.ts'

type Output = {
  readonly entryPoint?: string
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
}
type Build = (options: object) => Promise<{
  readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[]
  readonly metafile: { readonly outputs: Readonly<Record<string, Output>> }
}>

const here = createRequire(import.meta.url)

/** The files that are loaded before the first line runs; what is imported later by `import()` is not among them. */
function loadedFirst(outputs: Readonly<Record<string, Output>>): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') visit(next)
  }
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint === '<stdin>') visit(path)
  return found
}

/** Bytes that a page loads at first when it uses these names: minified by esbuild, each file by `gzip -9`. */
async function bundledSize(code: string, resolveDir: string): Promise<number> {
  const { build } = peer<{ readonly build: Build }>('esbuild')
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    conditions: ['browser'],
    write: false,
    metafile: true,
    splitting: true,
    absWorkingDir: resolveDir,
    outdir: 'out',
    logLevel: 'silent',
  })
  const first = loadedFirst(metafile.outputs)
  return outputFiles
    .filter(({ path }) => first.has(relative(resolveDir, path)))
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0)
}

const programs = [
  { name: 'Hailstone, everything', code: "export * from '@hailstone/mining-node'", goal: 35_000 },
  {
    name: 'Hailstone, wallet and session',
    code: "export { createMiningSession, createWallet, walletFromPrivateKey } from '@hailstone/mining-node'",
    goal: 20_000,
  },
]

const peerPrograms = ['viem', 'ethers', '@noble/curves']
const peerCode: Readonly<Record<string, string>> = {
  '@noble/curves': "export { secp256k1 } from '@noble/curves/secp256k1.js'",
}

const goals: readonly Goal[] = [
  { what: 'at most 35,000 bytes', over: 'Hailstone, everything', under: '1 byte', atMost: 35_000 },
  { what: 'at most half of viem', over: 'Hailstone, everything', under: 'viem', atMost: 0.5 },
  { what: 'at most 20,000 bytes', over: 'Hailstone, wallet and session', under: '1 byte', atMost: 20_000 },
]

export const bundleSize: Suite = {
  name: 'bundle',
  what: 'P-13: what a page has to load',
  run: async ({ tell }) => {
    const workspace = dirname(here.resolve('@hailstone/mining-node'))
    const scores = [{ name: '1 byte', samples: [1] }]
    for (const { name, code } of programs)
      scores.push({ name, samples: [await bundledSize(code, workspace)] })
    for (const name of peerPrograms) {
      const code = peerCode[name] ?? `export * from '${name}'`
      scores.push({
        name,
        samples: [await bundledSize(code, peersFolder)],
        ...{ version: peerVersion(name) },
      })
      tell(`P-13 ${name}`)
    }
    // Bytes are the same on a busy machine.
    const fixed = { pressures: [], wasQuiet: true }
    return [
      outcomeOf({
        id: 'P-13',
        title: 'Bytes of a page',
        unit: 'bytes',
        isMoreBetter: false,
        scores,
        goals,
        ...fixed,
      }),
    ]
  },
}
