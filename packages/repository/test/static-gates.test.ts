import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const packages = join(root, 'packages')

type Line = { readonly file: string; readonly line: string }

/** Sources of a package without its tests, by their path below the folder of packages or apps. */
function sourcesOf(
  name: string,
  parts = ['src', 'bin'],
): readonly { readonly file: string; readonly text: string }[] {
  const home = ['packages', 'apps'].map((kind) => join(root, kind, name)).find(existsSync) ?? name
  const folders = parts.filter((folder) => existsSync(join(home, folder)))
  return folders
    .flatMap((folder) =>
      readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.[jt]sx?$/.test(file) && !/\.(?:test|bench)\.tsx?$|(?:^|\/)dist\//.test(file))
    .map((file) => ({ file: `${name}/${file}`, text: readFileSync(join(home, file), 'utf8') }))
}

/** Those sources as lines with their place. Comments say things that code must not do. */
const linesOf = (name: string): readonly Line[] =>
  sourcesOf(name).flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => ({ file, line })),
  )

/** Everything that is published. */
const published = [
  'runtime',
  'protocol',
  'client',
  'mining-node',
  'hailstone',
  'ledger',
  'database',
  'indexer',
  'fault-injection',
  'local-network',
  'brand',
  'react',
  'create-hailstone',
] as const
/** Packages of one file, which give a command a name that npx finds. */
const aliases = ['hailstone-brand', 'hailstone-indexer', 'hailstone-network'] as const
/** Everything that holds a key while it runs, what is published, and the page that a network serves. */
const guarded = [...published, 'white-label', 'sample', 'explorer'] as const
type Guarded = (typeof guarded)[number]
const linesOfAll = new Map(guarded.map((name) => [name, linesOf(name)]))
const hits = (name: Guarded, pattern: RegExp): readonly Line[] =>
  (linesOfAll.get(name) ?? []).filter(({ line }) => pattern.test(line))

describe.each(guarded)('S-13: the sources of %s', (name) => {
  it('are there to be looked at', () => {
    expect(hits(name, /\S/).length).toBeGreaterThan(100)
  })

  it('replace nothing by a text that could be a pattern', () => {
    const found = sourcesOf(name, ['src', 'bin', 'tools']).flatMap(({ file, text }) =>
      [...text.matchAll(replacing)].map(([, by = '']) => ({ file, by: by.slice(0, 40) })),
    )
    expect(found.filter(({ by }) => !harmlessReplacement.test(by))).toStrictEqual([])
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
    // In the database of the local network, and on the page that shows it, a count is a bigint on every second line.
    if (name === 'local-network' || name === 'explorer') return
    const files = new Set(hits(name, converting).map(({ file }) => file))
    expect([...files].filter((file) => !smallNumbers.has(file))).toStrictEqual([])
  })
})

/** The second argument of a replacement: in a text from outside `$&` and `$'` would be patterns. */
const replacing =
  /\.replace(?:All)?\(\s*(?:\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/\w*|'[^'\n]*'|"[^"\n]*"|`[^`]*`|[\w.]+|new RegExp\([^)]*\))\s*,\s*([^\n]*)/g

/** A text that stands in the source, or a function: written out, or one of these names (the last gives `.` or `,`). */
const harmlessReplacement = /^(?:'|"|async\b|\w+ *=>|\(|(?:placeOf|ends|decimalSign)\b)/

const money = '(?:amount|balance|fee|stake|reward|supply|units)'
const moneyAsNumber = new RegExp(
  `[^.\\w]Number\\([^)]*${money}|parse(?:Int|Float)\\([^)]*${money}|${money}\\w*\\.(?:toFixed|toLocaleString)\\(`,
  'i',
)

/** A table of counts whose column is called units, milliseconds of a unit of time, and numbers of a contract. */
const notMoney =
  /row\.name, Number\(row\.units\)|unitsMs|(?:referralShareBps|feeType|feeBps|decimals): Number\(/

/** Figures for eyes: shares, yields, percentages, the height of a bar in a chart. None of them is booked. */
const publicFigures = new Set([
  'white-label/src/views/rewards-chart.tsx',
  'local-network/src/http/expected-returns.ts',
  'local-network/src/http/routes/explorer.ts',
  'local-network/src/http/routes/network.ts',
  'local-network/src/http/stake-figures.ts',
])

/** Counts, ports, process ids, days in keys of rows, minutes and per cents that a person types, digits of a byte or a hash, times, years of a version, a contrast of colours, small integers of a script of faults. */
const smallNumbers = new Set([
  'white-label/src/parts/identicon.tsx',
  'white-label/src/app/idle-time.ts',
  'runtime/src/node/file-lock.ts',
  'runtime/src/node/open-files-limit.ts',
  'runtime/src/node/proxy.ts',
  'database/src/open-database.ts',
  'fault-injection/src/has-body.ts',
  'fault-injection/src/open-tls-front.ts',
  'fault-injection/src/parse-fault-script.ts',
  'fault-injection/src/rewrite-members.ts',
  'indexer/src/command.ts',
  'indexer/src/row-set.ts',
  'protocol/src/schema/leaves.ts',
  'protocol/src/contract.ts',
  'protocol/src/contract-order.ts',
  'protocol/src/json.ts',
  'protocol/src/messages/server-message.ts',
  'protocol/src/reference/operation.ts',
  'client/src/node/journal-text.ts',
  'client/src/node/second-path.ts',
  'client/src/transport/retry-policy.ts',
  'runtime/src/webhook/post-webhook.ts',
  'client/src/wallet/key-derivation.ts',
  'hailstone/src/option-values.ts',
  'hailstone/src/payout/payout-options.ts',
  'runtime/src/node/address-block.ts',
  'mining-node/src/fleet/answered-ring.ts',
  'mining-node/src/health/fleet-metrics.ts',
  'mining-node/src/health/node-metrics.ts',
  'mining-node/src/own-record.ts',
  'mining-node/src/session/close-hint.ts',
  'mining-node/src/session/redirect.ts',
  'mining-node/src/watchers/reward-cursor.ts',
  'white-label/src/app/use-auto-lock.ts',
  'white-label/src/engine/mined-days.ts',
  'white-label/src/engine/mining-policy.ts',
  'white-label/src/engine/sign-in-request.ts',
  'white-label/src/parts/meter.tsx',
  'white-label/src/views/more/policy-view.tsx',
  'white-label/src/views/reward-detail-view.tsx',
  'white-label/src/views/rewards-chart.tsx',
  'white-label/src/views/setup/import-step.tsx',
  'white-label/src/wizard/wizard.ts',
  'brand/src/checks/theme-rules.ts',
  'brand/src/deployment/certificate.ts',
  'brand/src/deployment/file-answers.ts',
  'brand/src/layers/path.ts',
  'brand/src/theme/contrast.ts',
])

type Manifest = {
  readonly name: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly scripts?: { readonly [name: string]: string }
  readonly gypfile?: boolean
}

/** Returns the packages that a user of a package installs. Optional packages are left out, as installers do. */
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
    ['client', ['@noble/hashes', '@noble/secp256k1', 'undici']],
    ['mining-node', ['@noble/hashes', '@noble/secp256k1', 'eventemitter3', 'undici']],
  ])('%s: four packages of others at most', (name, expected) => {
    const names = [...installed(join(packages, name)).keys()]
    expect(names.filter((one) => !one.startsWith('@hailstone/')).sort()).toStrictEqual(expected)
    expect(expected.length).toBeLessThanOrEqual(4)
  })

  it.each([...published, ...aliases])('%s: nothing runs when it is installed', (name) => {
    const scripts = ['preinstall', 'install', 'postinstall']
    const running = [...installed(join(packages, name)).values()].filter(
      ({ scripts: own = {}, gypfile = false }) => gypfile || scripts.some((script) => script in own),
    )
    expect(running.map((manifest) => manifest.name)).toStrictEqual([])
  })
})

it('S-10: no version is installed that is younger than 14 days, but for those that are named with a reason', () => {
  const read = (name: string): string => readFileSync(join(packages, '..', name), 'utf8')
  const settings = read('pnpm-workspace.yaml')
  const locked = read('pnpm-lock.yaml')
  expect(Number(/^minimumReleaseAge: (\d+)$/m.exec(settings)?.[1])).toBeGreaterThanOrEqual(14 * 24 * 60)
  const [, list = ''] = /^minimumReleaseAgeExclude:\n((?: {2}- .*\n)*)/m.exec(settings) ?? []
  const excluded = [...list.matchAll(/^ {2}- "(.+)"$/gm)].map(([, name = '']) => name)
  expect(excluded.filter((name) => !/.@\d+\.\d+\.\d+/.test(name) || !locked.includes(name))).toStrictEqual([])
})
