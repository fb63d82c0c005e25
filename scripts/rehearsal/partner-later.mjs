// A partner's folder after the first build: brought to production, and updated to the next version of the app.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertQuiet, finish, follow, npm, npx, scratch } from './new-user.mjs'

const NEXT = '0.1.1'
/** Default of the app that the next version changes, for the rehearsal alone. */
const changed = { setting: 'mining.minBattery', was: 20, becomes: 30 }
const file = 'dist/layers/shell-defaults.js'

/** Publishes the next version of the two packages that a brand is built with, one default of which differs. */
export async function publishNext(env) {
  const tarballs = join(scratch, 'tarballs')
  for (const name of ['brand', 'white-label']) {
    const tarball = readdirSync(tarballs).find((one) => one.startsWith(`hailstone-${name}-0`))
    const folder = join(scratch, `next-${name}`)
    mkdirSync(folder)
    await finish('tar', ['xzf', join(tarballs, tarball), '-C', folder, '--strip-components=1'], { env })
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: NEXT }))
    if (name === 'brand') {
      const text = readFileSync(join(folder, file), 'utf8')
      const next = text.replace(`minBattery: ${changed.was}`, `minBattery: ${changed.becomes}`)
      if (next === text) throw new Error(`${file} has no default of ${changed.setting}`)
      writeFileSync(join(folder, file), next)
    }
    await finish(npm, ['publish', '--access', 'public'], { env, cwd: folder })
  }
}

function expectWords(printed, words, of) {
  const missing = words.filter((word) => !printed.includes(word))
  if (missing.length > 0) throw new Error(`${of} does not say ${missing.join(', nor ')}:\n${printed}`)
}

/** Brings the brand to production: what changes is said, nothing is written unasked, then the file is. */
export async function promote(at) {
  const brand = () => readFileSync(join(at.cwd, 'brand.ts'), 'utf8')
  const before = brand()
  const own = [
    'network.preset=mainnet',
    'network.poa=["wss://gate.kelp.example/"]',
    `token.hash=${'5a'.repeat(32)}`,
    'token.ticker=KELP',
    'token.decimals=8',
    'links.terms=https://kelp.example/terms',
    'links.privacy=https://kelp.example/privacy',
  ]
  const words = ['hailstone-brand', 'promote', ...own.flatMap((one) => ['--set', one])]
  const dry = await finish(npx, [...words, '--dry-run'], at)
  expectWords(
    dry,
    ['From dev to prod these settings change:', 'network.preset', 'Nothing was written'],
    'promote --dry-run',
  )
  const asking = follow(npx, words, at)
  await asking.line((line) => line.startsWith('Nothing was written: there is no terminal to ask at.'))
  if (brand() !== before) throw new Error('promote wrote without a yes')
  expectWords(await finish(npx, [...words, '--yes'], at), ['brand.ts is written'], 'promote --yes')
  const comments = (text) => text.split('\n').filter((line) => line.trim().startsWith('//'))
  if (comments(before).some((line) => !brand().includes(line))) throw new Error('promote lost a comment')
  if (readFileSync(join(at.cwd, 'brand.ts.before'), 'utf8') !== before)
    throw new Error('brand.ts.before is another')
  await finish(npx, ['hailstone-brand', 'check', '--env', 'prod'], at)
}

/** Updates the app as the project's README says, and builds: version and changed settings are said. */
export async function update(at, network) {
  const build = ['hailstone-brand', 'build', ...network]
  await finish(npx, build, at)
  assertQuiet(await finish(npm, ['update', '--no-audit', '--no-fund'], at))
  const printed = await finish(npx, build, at)
  const { setting, was, becomes } = changed
  const line = `${setting}  ${was} → ${becomes}`
  expectWords(
    printed,
    ['made with version 0.1.0', 'settings that changed since the last build:', line],
    'the build after npm update',
  )
  const others = printed.split('\n').filter((one) => one.includes(' → ') && !one.includes(line))
  if (others.length > 0)
    throw new Error(`settings changed that the new version did not change:\n${others.join('\n')}`)
  const { version } = JSON.parse(readFileSync(join(at.cwd, 'dist', 'build-manifest.json'), 'utf8'))
  if (version !== NEXT) throw new Error(`it was built with ${version}`)
  return line
}
