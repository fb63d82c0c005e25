import { join } from 'node:path'
import { checkBrandFolder } from '@hailstone/brand/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { appFolder, brandFiles, readShell } from './build-brand.ts'

type Files = ReadonlyMap<string, Uint8Array>

async function built(name: string): Promise<{ readonly files: Files; readonly config: string }> {
  const folder = join(appFolder(), 'brands', name)
  const report = await checkBrandFolder({ folder, environment: 'dev', target: 'web' })
  const { id: _, ...rest } = report.brand ?? { id: name }
  return { files: await brandFiles(report, await readShell()), config: JSON.stringify(rest) }
}

const textOf = (files: Files): string =>
  [...files]
    .map(([path, bytes]) => `${path}\n${Buffer.from(bytes).toString('latin1')}`)
    .join('\n')
    .toLowerCase()

let tidewater: Awaited<ReturnType<typeof built>>
let jamr: Awaited<ReturnType<typeof built>>
beforeAll(async () => {
  tidewater = await built('tidewater')
  jamr = await built('jamr')
})

/** Returns every text in a configuration. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value.toLowerCase()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/**
 * Returns texts that only one of two brands has. Single words are left out, since they may be values of a setting.
 */
function ownWords(own: string, other: string): readonly string[] {
  const common = other.toLowerCase()
  const texts = textsIn(JSON.parse(own)).filter((text) => text.length > 3 && /[^a-z]/.test(text))
  return [...new Set(texts)].filter((text) => !common.includes(text))
}

describe('two brands from one checkout', () => {
  for (const [name, pair] of [
    ['tidewater', () => [tidewater, jamr] as const],
    ['jamr', () => [jamr, tidewater] as const],
  ] as const) {
    it(`UX-6: nothing of ${name} is in what is built of the other`, () => {
      const [own, other] = pair()
      const words = ownWords(own.config, other.config)
      expect(words.length).toBeGreaterThan(10)
      const text = textOf(other.files)
      expect([name, ...words].filter((word) => text.includes(word))).toEqual([])
    })
  }

  it('UX-6: no picture is the same, and both install side by side', () => {
    const pictures = ({ files }: { readonly files: Files }): readonly string[] =>
      [...files]
        .filter(([path]) => /\.(png|ico|svg)$/.test(path))
        .map(([, bytes]) => Buffer.from(bytes).toString('base64'))
    expect(pictures(tidewater).length).toBeGreaterThan(8)
    expect(pictures(tidewater).filter((one) => pictures(jamr).includes(one))).toEqual([])
    const manifest = ({ files }: { readonly files: Files }) =>
      JSON.parse(new TextDecoder().decode(files.get('manifest.webmanifest')))
    expect(manifest(tidewater).id).not.toBe(manifest(jamr).id)
    const cacheName = ({ files }: { readonly files: Files }) =>
      /BUILD_NAME="([^"]+)"/.exec(new TextDecoder().decode(files.get('service-worker.js')))?.[1]
    expect(cacheName(tidewater)).toMatch(/^hailstone-tidewater-/)
    expect(cacheName(jamr)).toMatch(/^hailstone-jamr-/)
  })
})
