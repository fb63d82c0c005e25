import { describe, expect, it } from 'vitest'
import { brandWith, circle, filesWith, goodBrand, goodFiles, goodSource, svg } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import type { BrandFiles } from '../checks/check-context.ts'
import { readPngFacts } from '../checks/png-facts.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { artOf } from './compose.ts'
import { generateAssets } from './generate-assets.ts'
import { measureArt } from './measure-art.ts'
import { openPictureCheck } from './picture-findings.ts'
import { openRasterizer } from './rasterizer.ts'

function resolved(config: unknown = goodBrand): ResolvedBrand {
  const { brand } = checkBrand({ source: { ...goodSource, config } })
  if (brand === null) throw new Error('not resolved')
  return brand
}

async function namesOf(files: BrandFiles, config: unknown = goodBrand): Promise<readonly string[]> {
  const check = await openPictureCheck()
  return check(checkBrand({ source: { ...goodSource, config, files } }), files).map(({ name }) => name)
}

const ground = '<rect width="64" height="64" fill="#102030"/>'

describe('generateAssets', () => {
  it('draws every size of the web app, by name', async () => {
    const assets = await generateAssets({ brand: resolved(), files: goodFiles, sets: ['web'] })
    const sizes = [...assets].flatMap(([path, bytes]) => {
      const facts = readPngFacts(bytes)
      return facts === null ? [] : [`${path} ${facts.width}x${facts.height}`]
    })
    expect(sizes).toEqual([
      'icons/icon-192.png 192x192',
      'icons/icon-512.png 512x512',
      'icons/maskable-192.png 192x192',
      'icons/maskable-512.png 512x512',
      'icons/apple-touch-icon-180.png 180x180',
      'icons/badge-96.png 96x96',
      'social-card.png 1200x630',
    ])
    expect([...assets.keys()]).toContain('favicon.svg')
    expect([...(assets.get('favicon.ico') ?? [])].slice(0, 8)).toEqual([0, 0, 1, 0, 3, 0, 16, 16])
  })

  it('draws launcher icons of all densities, round ones cut out, adaptive layers and splash screens', async () => {
    const files = filesWith('assets/icon.svg', svg(`${ground}<circle cx="32" cy="32" r="20" fill="#fff"/>`))
    const assets = await generateAssets({ brand: resolved(), files, sets: ['android', 'ios'] })
    const round = assets.get('android/res/mipmap-mdpi/ic_launcher_round.png') ?? new Uint8Array()
    expect(measureArt(await openRasterizer(), artOf('x.png', round)).isFilled).toBe(false)
    const sizeOf = (path: string) => readPngFacts(assets.get(path) ?? new Uint8Array())?.width
    expect(sizeOf('android/res/mipmap-mdpi/ic_launcher.png')).toBe(48)
    expect(sizeOf('android/res/mipmap-xxxhdpi/ic_launcher_foreground.png')).toBe(432)
    expect(sizeOf('android/res/drawable-hdpi/ic_stat_notify.png')).toBe(36)
    expect(sizeOf('splash/splash-dark.png')).toBe(2732)
    expect(sizeOf('ios/AppIcon-1024.png')).toBe(1024)
    expect([...assets.keys()].filter((path) => path.startsWith('android/'))).toHaveLength(28)
  })

  it('gives the same bytes again', async () => {
    const draw = () => generateAssets({ brand: resolved(), files: goodFiles, sets: ['web'] })
    expect(await draw()).toEqual(await draw())
  })

  it('shrinks art without ground into the safe circle of maskable icons', async () => {
    const files = filesWith('assets/icon.svg', svg('<rect width="64" height="64" rx="4" fill="#fff"/>'))
    const assets = await generateAssets({ brand: resolved(), files, sets: ['web'] })
    const art = artOf('x.png', assets.get('icons/maskable-512.png') ?? new Uint8Array())
    const measure = measureArt(await openRasterizer(), art)
    expect(measure).toMatchObject({ isFilled: true, leavesSafeZone: false })
    expect(measure.radius).toBeGreaterThan(0.7)
  })

  it('draws notification icons as white outlines', async () => {
    const files = filesWith('assets/icon.svg', svg('<circle cx="32" cy="32" r="20" fill="#c00000"/>'))
    const assets = await generateAssets({ brand: resolved(), files, sets: ['web'] })
    const rasterizer = await openRasterizer()
    const badge = Buffer.from(assets.get('icons/badge-96.png') ?? []).toString('base64')
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><image width="96" height="96" href="data:image/png;base64,${badge}"/></svg>`
    const { data } = rasterizer.pixels(drawing, 96)
    const centre = (48 * 96 + 48) * 4
    expect([...data.subarray(centre, centre + 4)]).toEqual([255, 255, 255, 255])
    expect(data[3]).toBe(0)
  })

  it('refuses to draw what was never checked', async () => {
    await expect(generateAssets({ brand: resolved(), files: new Map() })).rejects.toThrow('check the brand')
  })
})

describe('openPictureCheck', () => {
  it('has nothing to say of good pictures', async () => {
    expect(await namesOf(goodFiles)).toEqual([])
    const safe = svg(`${ground}<circle cx="32" cy="32" r="20" fill="#fff"/>`)
    expect(await namesOf(filesWith('assets/icon.svg', safe))).toEqual([])
  })

  it('sees art that launchers would cut off', async () => {
    const wide = svg(`${ground}<rect x="2" y="20" width="60" height="24" fill="#fff"/>`)
    expect(await namesOf(filesWith('assets/icon.svg', wide))).toEqual(['icon-outside-safe-zone'])
  })

  it('sees icons that show nothing', async () => {
    expect(await namesOf(filesWith('assets/icon.svg', svg('')))).toContain('icon-empty')
    expect(await namesOf(filesWith('assets/icon.svg', svg(ground)))).toContain('icon-empty')
  })

  it('draws nothing of a brand with refused drawings', async () => {
    const files = filesWith('assets/icon.svg', svg('<script/>'))
    const check = await openPictureCheck()
    const report = checkBrand({ source: { ...goodSource, files } })
    expect(report.findings.map(({ path }) => path)).toContain('assets.icon')
    expect(check(report, files)).toEqual([])
  })

  it('warns of a mark without an outline', async () => {
    const files = new Map([...goodFiles, ['assets/mark.svg', svg(ground)], ['assets/icon.svg', circle]])
    expect(await namesOf(files, brandWith('assets.mark', 'assets/mark.svg'))).toEqual(['icon-solid'])
  })
})
