import { describe, expect, it } from 'vitest'
import { decodeWith, isWireObject, Mismatch, record, type Schema } from './record.ts'

const anything: Schema<unknown> = { read: (wire) => wire }
const number: Schema<bigint> = {
  read: (wire) => (typeof wire === 'bigint' ? wire : new Mismatch(wire, 'a whole number')),
}
const person = record({ age: ['years', number], note: anything })

describe('a record', () => {
  it('reads members under our names and drops what it does not know', () => {
    expect(person.read({ years: 7n, note: 'x', more: true })).toStrictEqual({ age: 7n, note: 'x' })
  })

  it('has no member for what is absent', () => {
    expect(person.read({ years: 7n })).toStrictEqual({ age: 7n })
  })

  it('takes no member that every object inherits for one of the wire', () => {
    const inherited = record({ toString: anything, constructor: anything })
    expect(Object.keys(inherited.read({}) as object)).toEqual([])
    expect(record({ valueOf: number }).read({})).toStrictEqual(
      new Mismatch(undefined, 'a whole number', ['valueOf']),
    )
  })

  it.each([
    ['null', null],
    ['a list', []],
    ['a list of one', [{ years: '7' }]],
    ['a text', 'text'],
    ['true', true],
    ['nothing', undefined],
  ])('is not read from %s', (_, wire) => {
    expect(isWireObject(wire)).toBe(false)
    expect(person.read(wire)).toStrictEqual(new Mismatch(wire, 'an object'))
  })
})

describe('what does not match', () => {
  const nested = record({ owner: person })
  const reasonOf = (schema: Schema<unknown>, wire: Parameters<Schema<unknown>['read']>[0]) => {
    const decoded = decodeWith(schema, wire)
    return decoded.ok ? decoded.value : decoded.problem
  }

  it('is told with its place on the wire, its type, and what was expected', () => {
    const reported = (found: Parameters<typeof reasonOf>[1]) => reasonOf(nested, { owner: { years: found } })
    const reason = (kind: string) => ({
      path: 'owner.years',
      reason: `owner.years is ${kind} where a whole number was expected`,
    })
    expect(reported('7')).toStrictEqual(reason('of type string'))
    expect(reported(null)).toStrictEqual(reason('of type null'))
    expect(reported([7n])).toStrictEqual(reason('of type a list'))
    expect(reported({})).toStrictEqual(reason('of type object'))
    expect(reported(undefined)).toStrictEqual(reason('absent'))
  })

  it('has no path when it is the whole', () => {
    expect(reasonOf(nested, 'text')).toStrictEqual({
      path: '',
      reason: 'the value is of type string where an object was expected',
    })
    expect(reasonOf(nested, { owner: { years: 7n } })).toStrictEqual({ owner: { age: 7n } })
  })

  it('keeps what was found while its path grows', () => {
    const mismatch = new Mismatch('x', 'a list', ['b']).under(0).under('a')
    expect(mismatch).toStrictEqual(new Mismatch('x', 'a list', ['a', '0', 'b']))
    expect([mismatch.found, mismatch.expected, mismatch.path]).toEqual(['x', 'a list', ['a', '0', 'b']])
  })
})
