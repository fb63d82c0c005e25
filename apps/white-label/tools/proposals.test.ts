import { checkBrand, type Finding } from '@hailstone/brand/check'
import { describe, expect, it } from 'vitest'
import { withChange } from './brand-draft.ts'
import { type Proposal, proposalFor } from './proposals.ts'

const hash = 'ab'.repeat(32)
const base = {
  schema: 1,
  id: 'acme',
  app: { name: 'Acme Mining', homepage: 'https://acme.example', supportEmail: 'help@acme.example' },
  token: { hash, ticker: 'ACME', decimals: 8 },
  network: { preset: 'custom', api: 'https://api.acme.example/api/v1', poa: ['wss://gate.acme.example/'] },
  theme: { primary: '#3a7644' },
  assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
}
const drawing = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="20"/></svg>',
)
const files = new Map(['assets/logo.svg', 'assets/icon.svg'].map((path) => [path, drawing]))
const findingsOf = (config: object): readonly Finding[] => checkBrand({ source: { config, files } }).findings

/** Returns what is proposed for the findings of a brand with one setting changed. */
function proposals(path: string, value: unknown): readonly Proposal[] {
  const config = withChange(base, { path, value })
  return findingsOf(config).flatMap(
    (one) => proposalFor(one, config, (change) => findingsOf(withChange(config, change))) ?? [],
  )
}

describe('what the wizard proposes', () => {
  it('is nothing for a brand without findings', () => {
    expect(findingsOf(base)).toEqual([])
  })

  it.each([
    ['theme.primary', '0E7C8C', '#0e7c8c'],
    ['theme.primary', ' #0E7C8C', '#0e7c8c'],
    ['theme.primary', '#075', '#007755'],
    ['links.terms', 'acme.example/terms', 'https://acme.example/terms'],
    ['links.terms', 'https:/acme.example/terms', 'https://acme.example/terms'],
    ['links.terms', 'http://acme.example/terms', 'https://acme.example/terms'],
    ['links.terms', 'https://me:secret@acme.example/', 'https://acme.example/'],
    ['app.supportEmail', 'mailto:help@acme.example', 'help@acme.example'],
    ['token.hash', ` 0x${hash.toUpperCase()}`, hash],
    ['token.ticker', 'acme', 'ACME'],
    ['id', 'Acme Mining', 'acme-mining'],
    ['network.poa', ['wss://a.example/', 'ws://gate.example/'], ['wss://a.example/', 'wss://gate.example/']],
    ['network.poa', ['gate.example'], ['wss://gate.example']],
    ['deepLink.hosts', ['https://Open.acme.example/i'], ['open.acme.example']],
    ['mining.thermalPause', true, null],
  ])('for %s with %s is %s, which ends the finding', (path, value, meant) => {
    expect(proposals(path, value)).toEqual([{ path, value: meant }])
  })

  it.each([
    ['theme.primary', 'green'],
    ['links.terms', 'javascript:alert(1)'],
    ['links.terms', 'the terms'],
    ['token.hash', 'abab'],
    ['token.ticker', 'ACME COIN'],
    ['app.supportEmail', 'help'],
    ['id', '7'],
  ])('for %s with %s is nothing', (path, value) => {
    expect(findingsOf(withChange(base, { path, value }))).not.toEqual([])
    expect(proposals(path, value)).toEqual([])
  })

  it('makes a yellow legible in both modes, one press for each', () => {
    let config: Record<string, unknown> = withChange(base, { path: 'theme.primary', value: '#FFE600' })
    let presses = 0
    for (; presses < 4 && findingsOf(config).length > 0; presses++) {
      const [first] = findingsOf(config)
      const made = first && proposalFor(first, config, (change) => findingsOf(withChange(config, change)))
      if (!made) break
      config = withChange(config, made)
    }
    expect(findingsOf(config)).toEqual([])
    expect(presses).toBeGreaterThan(0)
    expect(presses).toBeLessThanOrEqual(2)
  })
})
