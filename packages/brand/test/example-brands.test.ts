import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Target } from '../src/checks/check-context.ts'
import { checkBrandFolder, type FolderReport } from '../src/files/check-brand-folder.ts'
import { textFiles } from '../src/generators/text-files.ts'
import type { ResolvedBrand } from '../src/layers/resolved-brand.ts'

const brands = fileURLToPath(new URL('../../../apps/white-label/brands/', import.meta.url))

const check = (name: string, environment: 'dev' | 'prod', target: Target): Promise<FolderReport> =>
  checkBrandFolder({ folder: `${brands}${name}`, environment, target })

type Resolved = { readonly brand: ResolvedBrand; readonly report: FolderReport }

async function resolved(name: string): Promise<Resolved> {
  const report = await check(name, 'prod', 'pwa')
  if (report.brand === null) throw new Error('not resolved')
  return { brand: report.brand, report }
}

describe('the example brands', () => {
  it('are the three this test knows', async () => {
    expect((await readdir(brands)).sort()).toEqual(['jamr', 'tidewater', 'verbena'])
  })

  it.each([
    ['tidewater', 'dev', 'web'],
    ['tidewater', 'prod', 'pwa'],
    ['tidewater', 'prod', 'android'],
    ['jamr', 'dev', 'web'],
    ['jamr', 'prod', 'pwa'],
    ['verbena', 'dev', 'web'],
    ['verbena', 'prod', 'pwa'],
  ] as const)('have no finding: %s in %s for %s', async (name, environment, target) => {
    expect((await check(name, environment, target)).findings).toEqual([])
  })

  it('have an iOS build that says it does not mine', async () => {
    const { findings } = await check('jamr', 'prod', 'ios')
    expect(findings.map(({ severity, name }) => `${severity} ${name}`)).toEqual(['warning ios-mines-nothing'])
  })

  const pairs = [
    ['tidewater', 'jamr'],
    ['tidewater', 'verbena'],
    ['jamr', 'verbena'],
  ] as const

  it.each(pairs)('share no choice a person would see: %s and %s', async (...names) => {
    const [{ brand: one }, { brand: other }] = (await Promise.all(names.map(resolved))) as [
      Resolved,
      Resolved,
    ]
    const choices = ({ theme, i18n, pwa, links, app, token }: ResolvedBrand) => [
      ...[
        theme.mode,
        `corners ${theme.radius}`,
        `buttons ${theme.shape}`,
        `distances ${theme.density}`,
        theme.hero,
      ],
      ...[`text ${theme.font.kind}`, `headings ${theme.headings.kind}`, theme.contrast, theme.primary],
      ...[i18n.default, ...i18n.enabled, app.publisher, token.hash],
      ...[pwa.display, pwa.orientation, ...pwa.categories, ...links.community.map(({ kind }) => kind)],
    ]
    expect(choices(one).filter((choice) => choices(other).includes(choice))).toEqual([])
    const switches = (brand: ResolvedBrand) => JSON.stringify([brand.features, brand.mining, brand.legal])
    expect(switches(one)).not.toBe(switches(other))
  })

  it('show at work what two of them leave as it is', async () => {
    const { brand } = await resolved('verbena')
    expect(brand.theme.ground).toBe('gradient')
    expect(Object.values(brand.assets.art)).not.toContain(null)
    expect([
      brand.legal.version,
      brand.legal.minimumAge,
      brand.links.claim,
      brand.links.statusFeed,
    ]).not.toContain(null)
    expect([brand.features.roi, brand.features.fiat]).toEqual([true, true])
  })

  it.each(pairs)('leave no trace of one in the files of the other: %s and %s', async (...names) => {
    const [one, other] = (await Promise.all(names.map(resolved))) as [Resolved, Resolved]
    const text = ({ brand, report }: Resolved) =>
      [...textFiles(brand, report.files)]
        .map(([path, bytes]) => `${path}\n${new TextDecoder().decode(bytes)}`)
        .join('\n')
    const own = ({ brand }: Resolved) => {
      const { theme, app, id, token, network } = brand
      const colours = [theme.primary, theme.accent, theme.dark.primary].filter((colour) => colour !== null)
      return [id, app.name, app.publisher ?? '', token.hash, ...network.poa, ...colours]
    }
    for (const word of own(one)) expect(text(other)).not.toContain(word)
    for (const word of own(other)) expect(text(one)).not.toContain(word)
    expect(text(one)).toContain(one.brand.app.shortName)
    expect(text(other)).toContain(other.brand.app.shortName)
  })
})
