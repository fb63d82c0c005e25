import { lookNames, looks } from '@hailstone/brand/tools'
import { describe, expect, it } from 'vitest'
import { keepHistory, lookOf, namedFiles, settingAt, withChange, withLook } from './brand-draft.ts'

const own = {
  app: { name: 'Kelp' },
  theme: { primary: '#1d7a46', success: '#117733', dark: { primary: '#3fae72' }, density: 'compact' },
}

describe('a look on a draft', () => {
  it.each(lookNames)('replaces what looks decide, and nothing else: %s', (name) => {
    const changed = withLook(own, name)
    expect(changed).toStrictEqual({ app: { name: 'Kelp' }, theme: { success: '#117733', ...looks[name] } })
    expect(lookOf(changed)).toBe(name)
  })

  it('leaves the typefaces of the brand', () => {
    const font = { family: 'Kelp Sans', files: ['kelp.woff2'], licence: 'OFL-1.1' }
    const headings = { ...font, family: 'Kelp Display' }
    const changed = withLook({ theme: { font, headings } }, 'dune')
    expect(settingAt(changed, 'theme')).toStrictEqual({ ...looks.dune, font, headings })
    expect(lookOf(changed)).toBe('dune')
  })

  it('is not recognised once a setting differs or another one is added', () => {
    expect(lookOf(own)).toBe(null)
    expect(lookOf({})).toBe(null)
    const changed = withLook(own, 'frost')
    expect(lookOf(withChange(changed, { path: 'theme.radius', value: 'lg' }))).toBe(null)
    expect(lookOf(withChange(changed, { path: 'theme.density', value: 'roomy' }))).toBe(null)
    const darker = withChange(changed, { path: 'theme.dark.primary', value: '#3fae72' })
    expect(lookOf(darker)).toBe(null)
    expect(lookOf(withChange(darker, { path: 'theme.dark.primary', value: null }))).toBe('frost')
  })
})

describe('the files of a draft', () => {
  const [old, wrong, fresh] = [1, 2, 3].map((byte) => Uint8Array.of(byte)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const config = { assets: { logo: 'assets/logo.svg' }, theme: { font: { files: ['fonts/kelp.woff2'] } } }

  it('are those that were saved and those that settings name', () => {
    const saved = new Map([['i18n/nl.json', old]])
    const files = new Map([...saved, ['assets/logo.png', wrong], ['assets/logo.svg', fresh]])
    expect([...namedFiles({ config, files }, saved).keys()]).toEqual(['i18n/nl.json', 'assets/logo.svg'])
  })

  it('are as they were saved where no setting names them', () => {
    const saved = new Map([['assets/logo.png', old]])
    const files = new Map([
      ['assets/logo.png', wrong],
      ['assets/logo.svg', fresh],
    ])
    expect(namedFiles({ config, files }, saved).get('assets/logo.png')).toBe(old)
  })

  it('stay the same list while all are named, lists in settings too', () => {
    const files = new Map([['fonts/kelp.woff2', fresh]])
    expect(namedFiles({ config, files }, new Map())).toBe(files)
  })
})

describe('the history of a draft', () => {
  const files = new Map()
  const named = (name: string) => ({ config: { app: { name } } })

  it('takes the letters of a word back as one step', () => {
    const history = keepHistory({ config: {}, files })
    history.edit('app.name', named('K'))
    history.edit('app.name', named('Ke'))
    history.edit('app.tagline', { config: { app: { name: 'Ke', tagline: 'Green' } } })
    history.undo()
    expect(history.draft().config).toStrictEqual(named('Ke').config)
    history.undo()
    expect([history.draft().config, history.canUndo()]).toStrictEqual([{}, false])
    history.undo()
    expect(history.draft().config).toStrictEqual({})
  })

  it('begins a step where one was ended, and after one was taken back', () => {
    const history = keepHistory({ config: {}, files })
    history.edit('app.name', named('a'))
    history.endStep()
    history.edit('app.name', named('b'))
    history.undo()
    expect(history.draft().config).toStrictEqual(named('a').config)
    history.edit('app.name', named('c'))
    history.undo()
    expect(history.draft().config).toStrictEqual(named('a').config)
  })

  it('keeps the last 200 steps', () => {
    const history = keepHistory({ config: {}, files })
    for (let step = 1; step <= 250; step++) history.edit(`step ${step}`, named(String(step)))
    let taken = 0
    for (; history.canUndo(); taken++) history.undo()
    expect([taken, history.draft().config]).toStrictEqual([200, named('50').config])
  })
})
