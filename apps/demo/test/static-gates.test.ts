import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url))

type Line = { readonly file: string; readonly line: string }

/** Sources of a package without its tests, as lines with their place. Comments say things that code must not do. */
function linesOf(name: string): readonly Line[] {
  const folders = ['src', 'explorer', 'bin'].filter((folder) => existsSync(join(packages, name, folder)))
  const files = folders.flatMap((folder) =>
    readdirSync(join(packages, name, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  const sources = files.filter((file) => /\.[jt]sx?$/.test(file) && !/\.(?:test|bench)\.tsx?$/.test(file))
  return sources.flatMap((file) =>
    readFileSync(join(packages, name, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => ({ file: `${name}/${file}`, line })),
  )
}

/** Everything that is published. */
const published = ['protocol', 'client', 'mining-node', 'local-network', 'brand', 'react'] as const
const linesOfAll = new Map(published.map((name) => [name, linesOf(name)]))
const hits = (name: (typeof published)[number], pattern: RegExp): readonly Line[] =>
  (linesOfAll.get(name) ?? []).filter(({ line }) => pattern.test(line))

describe.each(published)('S-13: the sources of %s', (name) => {
  it('are there to be looked at', () => {
    expect(hits(name, /\S/).length).toBeGreaterThan(200)
  })

  it.each([
    ['HTML from text', /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML/],
    ['code from text', /\beval\(|\bnew Function\b|[^.\w]Function\(|setTimeout\(\s*['"`]/],
    ['messages to any origin', /postMessage\([^)]*['"]\*['"]/],
    ['randomness that can be foreseen', /Math\.random/],
    ['anything printed', /\bconsole\b/],
  ])('have no %s', (_, pattern) => {
    expect(hits(name, pattern)).toStrictEqual([])
  })

  const converting = /[^.\w]Number\(|Number\.parse|parseInt\(|parseFloat|\.toFixed\(|toLocaleString/

  it('make numbers of nothing that is money', () => {
    const found = hits(name, moneyAsNumber).filter(({ line }) => !notMoney.test(line))
    expect(found.filter(({ file }) => !publicFigures.has(file))).toStrictEqual([])
  })

  it('make numbers of what is small by nature, in places that are known', () => {
    // In the database of the local network a count is a bigint on every second line.
    if (name === 'local-network') return
    const files = new Set(hits(name, converting).map(({ file }) => file))
    expect([...files].filter((file) => !smallNumbers.has(file))).toStrictEqual([])
  })
})

const money = '(?:amount|balance|fee|stake|reward|supply|units)'
const moneyAsNumber = new RegExp(
  `[^.\\w]Number\\([^)]*${money}|parse(?:Int|Float)\\([^)]*${money}|${money}\\w*\\.(?:toFixed|toLocaleString)\\(`,
  'i',
)

/** A table of counts whose column is called units, milliseconds of a unit of time, and numbers of a contract. */
const notMoney =
  /row\.name, Number\(row\.units\)|unitsMs|(?:referralShareBps|feeType|feeBps|decimals): Number\(/

/** Figures for eyes that the public API gives as fractions: shares, yields, percentages. None of them is booked. */
const publicFigures = new Set([
  'local-network/src/http/expected-returns.ts',
  'local-network/src/http/routes/explorer.ts',
  'local-network/src/http/routes/network.ts',
  'local-network/src/http/stake-figures.ts',
])

/** Counts, ports, process ids, digits of a byte or a hash, times, years of a version, a contrast of colours. */
const smallNumbers = new Set([
  'protocol/src/schema/leaves.ts',
  'protocol/src/contract.ts',
  'protocol/src/contract-order.ts',
  'protocol/src/json.ts',
  'protocol/src/messages/server-message.ts',
  'protocol/src/reference/operation.ts',
  'client/src/node/file-lock.ts',
  'client/src/node/journal-text.ts',
  'client/src/transport/retry-policy.ts',
  'client/src/wallet/key-derivation.ts',
  'mining-node/src/command/option-values.ts',
  'mining-node/src/fleet/answered-ring.ts',
  'mining-node/src/health/fleet-metrics.ts',
  'mining-node/src/health/node-metrics.ts',
  'mining-node/src/own-record.ts',
  'mining-node/src/session/close-hint.ts',
  'mining-node/src/session/redirect.ts',
  'mining-node/src/watchers/reward-cursor.ts',
  'brand/src/checks/theme-rules.ts',
  'brand/src/layers/path.ts',
  'brand/src/theme/contrast.ts',
])

type Manifest = {
  readonly name: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly scripts?: { readonly [name: string]: string }
  readonly gypfile?: boolean
}

/** What a user of a package installs, optional packages left out as installers leave them out. */
function installed(folder: string, seen = new Map<string, Manifest>()): ReadonlyMap<string, Manifest> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  if (seen.has(manifest.name)) return seen
  seen.set(manifest.name, manifest)
  for (const name of Object.keys(manifest.dependencies ?? {})) installed(dependencyOf(folder, name), seen)
  return seen
}

function dependencyOf(folder: string, name: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(candidate)) return realpathSync(candidate)
    if (dirname(at) === at) throw new Error(`${name} is not installed`)
  }
}

describe('S-10: what comes with a package that is installed', () => {
  it.each([
    ['client', ['@hailstone/protocol', '@noble/hashes', '@noble/secp256k1', 'undici']],
    [
      'mining-node',
      [
        '@hailstone/client',
        '@hailstone/protocol',
        '@noble/hashes',
        '@noble/secp256k1',
        'eventemitter3',
        'undici',
      ],
    ],
  ])('%s: six packages at most, our own included', (name, expected) => {
    const names = [...installed(join(packages, name)).keys()]
    expect(names.filter((one) => one !== `@hailstone/${name}`).sort()).toStrictEqual(expected)
    expect(expected.length).toBeLessThanOrEqual(6)
  })

  it.each(published)('%s: nothing runs when it is installed', (name) => {
    const scripts = ['preinstall', 'install', 'postinstall']
    const running = [...installed(join(packages, name)).values()].filter(
      ({ scripts: own = {}, gypfile = false }) => gypfile || scripts.some((script) => script in own),
    )
    expect(running.map((manifest) => manifest.name)).toStrictEqual([])
  })
})
