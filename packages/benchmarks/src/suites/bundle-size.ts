import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { type Goal, outcomeOf } from '../outcome.ts'
import { pageBytes } from '../page-bytes.ts'
import { peersFolder, peerVersion } from '../peers.ts'
import type { Suite } from '../suite.ts'

const here = createRequire(import.meta.url)

const programs = [
  { name: 'Hailstone, all names', code: "export * from '@hailstone/mining-node'" },
  { name: 'Hailstone, wallet and mining node', code: exporting('createMiningNode') },
  { name: 'Hailstone, wallet and session', code: exporting('createMiningSession') },
]

function exporting(name: string): string {
  return `export { ${name}, createWallet, walletFromPrivateKey } from '@hailstone/mining-node'`
}

const peerPrograms = ['viem', 'ethers', '@noble/curves']
const peerCode: Readonly<Record<string, string>> = {
  '@noble/curves': "export { secp256k1 } from '@noble/curves/secp256k1.js'",
}

const goals: readonly Goal[] = [
  { what: 'at most 42,000 bytes', over: 'Hailstone, all names', under: '1 byte', atMost: 42_000 },
  { what: 'at most 21,000 bytes', over: 'Hailstone, wallet and session', under: '1 byte', atMost: 21_000 },
]

export const bundleSize: Suite = {
  name: 'bundle',
  what: 'P-13: what a page has to load',
  run: async ({ tell }) => {
    const workspace = dirname(here.resolve('@hailstone/mining-node'))
    const scores = [{ name: '1 byte', samples: [1] }]
    for (const { name, code } of programs) scores.push({ name, samples: [await pageBytes(code, workspace)] })
    for (const name of peerPrograms) {
      const code = peerCode[name] ?? `export * from '${name}'`
      scores.push({
        name,
        samples: [await pageBytes(code, peersFolder)],
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
