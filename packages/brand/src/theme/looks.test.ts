import { describe, expect, it } from 'vitest'
import { goodBrand, goodSource } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { lookNames, looks } from './looks.ts'

describe('the looks', () => {
  it('are ten that nobody would take for one another', () => {
    expect(lookNames).toHaveLength(10)
    expect(new Set(lookNames.map((name) => looks[name].primary)).size).toBe(10)
    const shapes = lookNames.map((name) => JSON.stringify({ ...looks[name], primary: '', accent: '' }))
    expect(new Set(shapes).size).toBe(10)
    const grounds = lookNames.map((name) => ('ground' in looks[name] ? looks[name].ground : 'plain'))
    expect(new Set(grounds).size).toBe(3)
  })

  it.each(lookNames)('pass the contrast gate in both modes, without a finding: %s', (name) => {
    const config = { ...goodBrand, theme: { ...looks[name], contrast: 'error' } }
    expect(checkBrand({ source: { ...goodSource, config } }).findings).toEqual([])
  })
})
