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

async function resolved(
  name: string,
): Promise<{ readonly brand: ResolvedBrand; readonly report: FolderReport }> {
  const report = await check(name, 'prod', 'pwa')
  if (report.brand === null) throw new Error('not resolved')
  return { brand: report.brand, report }
}

describe('the example brands', () => {
  it('are the two this test knows', async () => {
    expect((await readdir(brands)).sort()).toEqual(['jamr', 'tidewater'])
  })

  it.each([
    ['tidewater', 'dev', 'web'],
    ['tidewater', 'prod', 'pwa'],
    ['tidewater', 'prod', 'android'],
    ['jamr', 'dev', 'web'],
    ['jamr', 'prod', 'pwa'],
  ] as const)('have no finding: %s in %s for %s', async (name, environment, target) => {
    expect((await check(name, environment, target)).findings).toEqual([])
  })

  it('have an iOS build that says it does not mine', async () => {
    const { findings } = await check('jamr', 'prod', 'ios')
    expect(findings.map(({ severity, name }) => `${severity} ${name}`)).toEqual(['warning ios-mines-nothing'])
  })

  it('share no choice a person would see', async () => {
    const [{ brand: one }, { brand: other }] = await Promise.all([resolved('tidewater'), resolved('jamr')])
    const choices = ({ theme, i18n, pwa, security, referral, links }: ResolvedBrand) => [
      ...[theme.mode, theme.radius, theme.font.kind, theme.contrast, i18n.default, ...i18n.enabled],
      ...[pwa.display, pwa.orientation, ...pwa.categories, security.lock, `referral ${referral.enabled}`],
      ...links.community.map(({ kind }) => kind),
    ]
    expect(choices(one).filter((choice) => choices(other).includes(choice))).toEqual([])
    const switches = (brand: ResolvedBrand) => JSON.stringify(brand.features)
    expect(switches(one)).not.toBe(switches(other))
    expect(one.token.hash).not.toBe(other.token.hash)
  })

  it('leave no trace of one in the files of the other', async () => {
    const [one, other] = await Promise.all([resolved('tidewater'), resolved('jamr')])
    const text = ({ brand, report }: typeof one) =>
      [...textFiles(brand, report.files)]
        .map(([path, bytes]) => `${path}\n${new TextDecoder().decode(bytes)}`)
        .join('\n')
    const own = ({ brand }: typeof one) => {
      const { theme, app, id, token, network } = brand
      const colours = [theme.primary, theme.accent, theme.dark.primary].filter((colour) => colour !== null)
      return [id, app.name, app.publisher ?? '', token.hash, ...network.poa, ...colours]
    }
    for (const word of own(one)) expect(text(other)).not.toContain(word)
    for (const word of own(other)) expect(text(one)).not.toContain(word)
    expect(text(one)).toContain('Tidewater')
    expect(text(other)).toContain('Jamr')
  })
})
