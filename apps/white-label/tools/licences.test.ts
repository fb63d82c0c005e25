import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { licenceIn, printLicences } from '../licences.ts'
import { appFolder } from './build-brand.ts'

const licencesOf = (build: string): string =>
  readFileSync(join(appFolder(), 'dist', build, 'licenses.txt'), 'utf8')

/** Packages of others that sources import for more than types; the build takes preact for react. */
function imported(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|bench|d)\.tsx?$|wizard|[\\/]node[\\/]/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /^(?:import|export)(?! type)[^'\n]*(?:\n[^'\n]*)*? from '((?:@[\w-]+\/)?[a-z][\w-]*)/gm,
      ),
    ])
    .map(([, name = '']) => name)
  return [...new Set(names)]
    .filter((name) => !name.startsWith('@hailstone/') && !name.startsWith('node'))
    .map((name) => name.replace(/^react(?:-dom)?$/, () => 'preact'))
}

describe('the licences of a build', () => {
  it.each(['mining', 'wallet'])('name every package that the sources of the app import: %s', (build) => {
    const names = imported(join(appFolder(), 'src'))
    expect(names).toEqual(expect.arrayContaining(['preact', 'i18next', 'qr', 'wouter', 'radix-ui']))
    const text = licencesOf(build)
    // radix-ui passes on what others hold.
    const missing = names.filter(
      (name) => !text.includes(`${name === 'radix-ui' ? '@radix-ui/react-dialog' : name} `),
    )
    expect(missing).toStrictEqual([])
    for (const name of ['Hailstone', '@noble/secp256k1', '@noble/hashes', '@scure/bip39'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  it.each(['mining', 'wallet', 'wizard'])('have the words that the licences ask to be kept: %s', (build) => {
    const parts = licencesOf(build).split(/\n-{80}\n/)
    expect(parts.length).toBeGreaterThanOrEqual(build === 'wizard' ? 1 : 3)
    for (const part of parts)
      expect(part).toMatch(
        /Permission is hereby granted|public domain|Permission to use, copy, modify|Redistribution and use/,
      )
  })
})

describe('a package', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'licence-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (license: string): void =>
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'a', version: '1.0.0', license }))

  it('that has no text of its licence stops the build', () => {
    write('MIT')
    expect(() => licenceIn(folder)).toThrow('a 1.0.0 is bundled and has no text of its licence, MIT.')
    writeFileSync(join(folder, 'LICENSE.md'), '\n')
    expect(() => licenceIn(folder)).toThrow('no text of its licence')
  })

  it('shows its text once beside others that have the same, without those of packages it bundles itself', () => {
    write('MIT')
    writeFileSync(join(folder, 'license'), 'MIT text\n\n# Licenses of bundled dependencies\n\nof another')
    const one = licenceIn(folder)
    expect(one.text).toBe('MIT text')
    expect(printLicences([one, { ...one, name: 'b' }])).toMatch(
      /\n\na 1\.0\.0 \(MIT\)\nb 1\.0\.0 \(MIT\)\n\nMIT text\n$/,
    )
  })
})
