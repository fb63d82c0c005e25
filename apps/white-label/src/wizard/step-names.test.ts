import { brandSettings } from '@hailstone/brand/check'
import { describe, expect, it } from 'vitest'
import { decisions, findingsByStep, stepNames, stepOf } from './step-names.ts'

const paths = brandSettings().map(({ path }) => path)

const finding = (path: string, severity: 'error' | 'warning' = 'error') =>
  ({ code: 'E1', severity, path, expected: '', found: '', fix: '', proposal: null }) as const

describe('the steps of the page for partners', () => {
  it('have every setting in one of nine, and none is empty', () => {
    expect(stepNames).toHaveLength(9)
    const filled = new Set(paths.map(stepOf))
    expect(stepNames.filter((name) => !filled.has(name))).toEqual([])
  })

  it('name decisions that the schema has, each in its own step', () => {
    for (const name of stepNames)
      for (const path of decisions[name]) {
        expect(paths).toContain(path)
        expect(stepOf(path), path).toBe(name)
      }
  })

  it('count a finding where its setting is, whichever layer or file it names', () => {
    const steps = findingsByStep(
      [
        'theme.primary',
        'theme.hero',
        'environments.prod.token.hash',
        '--set network.api',
        'i18n/de.json',
        'assets/logo.svg',
        'screens/news.en.md',
        'links.buy[0].url',
        'theme.font.files[0]',
        'brand.ts',
        '',
      ].map((path) => finding(path)),
    )
    expect(Object.fromEntries([...steps].map(([name, found]) => [name, found.length]))).toEqual({
      ...{ name: 0, look: 2, colour: 1, pictures: 1, token: 1, network: 1, rules: 0, words: 3, check: 2 },
    })
  })
})
