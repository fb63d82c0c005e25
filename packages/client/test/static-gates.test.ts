import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/** Sources of a package without its tests, as lines with their place. Comments say things that code must not do. */
function linesOf(name: string): readonly { readonly file: string; readonly line: string }[] {
  const folder = join(packages, name, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.ts$/.test(file) && !/\.(?:test|bench)\.ts$/.test(file))
  return sources.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => ({ file: `${name}/${file}`, line })),
  )
}

const lines = ['protocol', 'client'].flatMap(linesOf)

describe('S-13: the sources of protocol and client', () => {
  it('are there to be looked at', () => {
    expect(lines.length).toBeGreaterThan(5000)
  })

  it.each([
    ['HTML from text', /innerHTML|outerHTML|insertAdjacentHTML|document\.write/],
    ['code from text', /\beval\(|\bnew Function\b|[^.\w]Function\(|setTimeout\(\s*['"`]/],
    ['messages to any origin', /postMessage\([^)]*['"]\*['"]/],
    ['randomness that can be foreseen', /Math\.random/],
    ['anything printed', /\bconsole\b/],
    ['fractions', /parseFloat|\.toFixed\(|toLocaleString/],
  ])('have no %s', (_, pattern) => {
    expect(lines.filter(({ line }) => pattern.test(line))).toStrictEqual([])
  })

  it('make numbers of nothing that is money', () => {
    // What may become a number: counts, ports, process ids, digits of a byte, years of a version.
    const known = [
      'protocol/schema/leaves.ts',
      'protocol/contract.ts',
      'protocol/contract-order.ts',
      'protocol/json.ts',
      'protocol/messages/server-message.ts',
      'protocol/reference/operation.ts',
      'client/node/file-lock.ts',
      'client/node/journal-text.ts',
      'client/transport/retry-policy.ts',
      'client/wallet/hex-text.ts',
      'client/wallet/key-derivation.ts',
    ]
    const converting = lines.filter(({ line }) => /[^.\w]Number\(|Number\.parse|parseInt\(/.test(line))
    expect(
      [...new Set(converting.map(({ file }) => file))].filter((file) => !known.includes(file)),
    ).toStrictEqual([])
    const money = /amount|balance|fee\b|stake|reward|supply/i
    const reasons = /referralShareBps|feeType|feeBps/
    expect(converting.filter(({ line }) => money.test(line) && !reasons.test(line))).toStrictEqual([])
  })
})

type Manifest = {
  readonly name: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly scripts?: { readonly [name: string]: string }
  readonly gypfile?: boolean
}

/** What a user of this package installs, optional packages left out as installers leave them out. */
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

describe('S-10: what comes with this package', () => {
  const tree = installed(join(packages, 'client'))

  it('is five packages at most, our own two included', () => {
    expect([...tree.keys()].sort()).toStrictEqual([
      '@hailstone/client',
      '@hailstone/protocol',
      '@noble/hashes',
      '@noble/secp256k1',
      'undici',
    ])
  })

  it('runs nothing when it is installed', () => {
    const names = ['preinstall', 'install', 'postinstall']
    const running = [...tree.values()].filter(
      ({ scripts = {}, gypfile = false }) => gypfile || names.some((script) => script in scripts),
    )
    expect(running.map(({ name }) => name)).toStrictEqual([])
  })
})
