import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinPath } from '../findings/finding.ts'
import { canonicalJson, configHash } from './canonical-json.ts'
import { deepFreeze } from './deep-freeze.ts'
import { mergeLayers } from './merge-layers.ts'
import { migrate, migrations } from './migrate.ts'
import { parsePath, valueAt } from './path.ts'
import { copyPlainData, type PlainObject } from './plain-data.ts'

describe('mergeLayers', () => {
  it('merges objects at every depth and replaces lists, texts and null', () => {
    const merged = mergeLayers([
      { a: { b: 1, c: [1, 2] }, d: 'x', e: { f: 1 } },
      { a: { c: [3] }, d: null, e: 'text' },
      { e: { g: 2 } },
    ])
    expect(merged).toEqual({ a: { b: 1, c: [3] }, d: null, e: { g: 2 } })
  })

  it('changes nothing it is given, and an empty layer changes nothing', () => {
    fc.assert(
      fc.property(fc.object({ values: [fc.string(), fc.integer(), fc.boolean()], maxDepth: 3 }), (object) => {
        const layer = copyPlainData(object).data as PlainObject
        const before = JSON.stringify(layer)
        expect(mergeLayers([deepFreeze(layer), {}])).toEqual(layer)
        expect(JSON.stringify(layer)).toBe(before)
      }),
      { numRuns: 50 },
    )
  })
})

describe('canonicalJson', () => {
  it('does not depend on the order of keys and leaves out what is undefined', () => {
    expect(canonicalJson({ b: [1, { d: 'ü', c: null }], a: undefined })).toBe('{"b":[1,{"c":null,"d":"ü"}]}')
    expect(configHash({ a: 1, b: 2 })).toBe(configHash({ b: 2, a: 1 }))
    expect(configHash({ a: 1 })).not.toBe(configHash({ a: '1' }))
  })
})

describe('migrate', () => {
  it('has a step for every version between one and the newest', () => {
    expect(Object.keys(migrations)).toEqual([])
  })

  it('climbs from an older version, one step at a time, and says so', () => {
    const steps = {
      1: ({ title, ...brand }: PlainObject): PlainObject => ({ ...brand, name: title ?? '' }),
      2: (brand: PlainObject): PlainObject => ({ ...brand, app: { name: brand.name ?? '' } }),
    }
    const { brand, findings } = migrate({ schema: 1, title: 'Acme' }, { steps, newest: 3 })
    expect(brand).toEqual({ schema: 3, name: 'Acme', app: { name: 'Acme' } })
    expect(findings).toEqual([
      expect.objectContaining({ code: 'E005', severity: 'warning', name: 'schema-older' }),
    ])
  })

  it('refuses versions it does not know', () => {
    expect(migrate({ schema: 99 })).toMatchObject({ brand: null, findings: [{ name: 'schema-newer' }] })
  })
})

describe('paths', () => {
  it('are read as they are written', () => {
    const parts = ['links', 'buy', 0, 'url']
    expect(joinPath(parts)).toBe('links.buy[0].url')
    expect(parsePath('links.buy[0].url')).toEqual(parts)
  })

  it('never lead into a prototype', () => {
    expect(valueAt({ a: { b: 1 } }, ['a', 'b'])).toBe(1)
    expect(valueAt({ a: 'text' }, ['a', 'length'])).toBeUndefined()
    expect(valueAt({}, ['constructor', 'name'])).toBeUndefined()
  })
})

describe('copyPlainData', () => {
  it('keeps what JSON keeps, but for keys that reach into prototypes, which it reports', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value)
        const { data, findings } = copyPlainData(JSON.parse(text))
        const isDangerous = /"(__proto__|constructor|prototype)":/.test(text)
        expect(findings.some(({ name }) => name === 'dangerous-key')).toBe(isDangerous)
        if (!isDangerous) expect(JSON.stringify(data)).toBe(text)
      }),
      { numRuns: 100, examples: [[{ prototype: {} }], [{ a: [{ constructor: 1 }] }]] },
    )
  })

  it('stops at endless data', () => {
    const endless: Record<string, unknown> = {}
    endless.self = endless
    expect(copyPlainData(endless).findings[0]?.name).toBe('not-plain-data')
    const wide = Array.from({ length: 1e6 }, () => 1)
    expect(copyPlainData(wide).findings.length).toBeGreaterThan(0)
  })
})
