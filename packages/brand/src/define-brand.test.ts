import { expect, it } from 'vitest'
import { goodBrand } from '../test/good-brand.ts'
import { type Brand, defineBrand } from './define-brand.ts'

it('returns what it is given', () => {
  expect(defineBrand(goodBrand)).toBe(goodBrand)
})

it('tells mistakes while they are typed', () => {
  const wrong: readonly Brand[] = [
    // @ts-expect-error a key of another section
    { ...goodBrand, primary: '#123456' },
    // @ts-expect-error no such choice
    { ...goodBrand, theme: { primary: '#123456', mode: 'neon' } },
    // @ts-expect-error a required member is missing
    { ...goodBrand, token: {} },
    // @ts-expect-error an unknown environment
    { ...goodBrand, environments: { production: {} } },
    // @ts-expect-error a typing mistake in an environment
    { ...goodBrand, environments: { prod: { app: { nmae: 'Acme' } } } },
  ]
  expect(wrong).toHaveLength(5)
})
