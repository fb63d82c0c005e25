import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as check from '../src/check.ts'
import { codes, findingNames } from '../src/findings/codes.ts'
import * as light from '../src/index.ts'
import * as runtime from '../src/runtime/index.ts'
import * as tools from '../src/tools.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns every specifier that a source file imports, directly or through others. */
function importsOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from\s'([^']+)'/gms)
  for (const [, specifier = ''] of statements) {
    if (seen.has(specifier) && !specifier.startsWith('.')) continue
    const path = specifier.startsWith('.') ? join(dirname(file), specifier) : specifier
    if (seen.has(path)) continue
    seen.add(path)
    if (specifier.startsWith('.')) importsOf(path, seen)
  }
  return seen
}

const packagesOf = (entry: string): readonly string[] =>
  [...importsOf(join(root, 'src', entry))].filter((one) => !one.startsWith('/')).sort()

describe('the package', () => {
  it('exports what it says', () => {
    expect(Object.keys(light)).toEqual(['defineBrand'])
    expect(Object.keys(runtime).sort()).toEqual([
      'FEED_BYTES',
      'FEED_MS',
      'applyTheme',
      'colourTokens',
      'contrastPairs',
      'directionOf',
      'readIncidents',
      'readRuntimeBrand',
      'readScreen',
    ])
    expect(Object.keys(check).sort()).toMatchSnapshot()
    expect(
      Object.keys(tools)
        .filter((name) => !Object.hasOwn(check, name))
        .sort(),
    ).toMatchSnapshot()
  })

  it('costs a brand file nothing, and the app shell no more than it has', () => {
    expect(packagesOf('index.ts')).toEqual([])
    expect(packagesOf('runtime/index.ts')).toEqual(['@hailstone/protocol', 'zod/mini'])
  })

  it('checks brands in browsers too', () => {
    expect(packagesOf('check.ts').filter((name) => name.startsWith('node:'))).toEqual([])
  })
})

describe('the table of codes', () => {
  it('has each code once, in order', () => {
    const numbers = findingNames.map((name) => codes[name].code)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers).toEqual([...numbers].sort())
  })

  /** Codes of settings that once had an effect. They stay in the table, since codes are only added. */
  const retired: readonly string[] = [
    'network-open-to-users',
    'network-open-to-every-host',
    'telemetry-dsn-missing',
    'telemetry-on',
  ]

  it('has no code that no test asserts', () => {
    const tests = ['src', 'test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => readFileSync(join(root, folder, name), 'utf8')),
    )
    const all = tests.join('\n')
    expect(
      findingNames.filter(
        (name) => !retired.includes(name) && !new RegExp(`\\b${name}\\b|\\b${codes[name].code}\\b`).test(all),
      ),
    ).toEqual([])
  })
})
