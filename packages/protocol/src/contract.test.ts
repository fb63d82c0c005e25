import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContractParameter, decodeContract, encodeContract, looksLikeContract } from './contract.ts'

const texts = fc
  .array(fc.constantFrom(...'0123456789abcdefXYZ _-/.'), { maxLength: 40 })
  .map((characters) => characters.join(''))

const parameters: fc.Arbitrary<ContractParameter> = fc.oneof(
  fc.record({ key: texts, type: fc.constantFrom('string' as const, 'object' as const), value: texts }),
  fc.record({
    key: texts,
    type: fc.constantFrom('int' as const, 'bigint' as const, 'float' as const),
    value: fc.bigInt(-(1n << 70n), 1n << 70n),
  }),
)

const types = fc.constantFrom(
  ...([
    'custom',
    'create_token',
    'delegate',
    'undelegate',
    'create_pos',
    'pos_reward',
    'transfer',
    'mint',
  ] as const),
)

describe('contract data', () => {
  it('survives encoding and decoding', () => {
    fc.assert(
      fc.property(types, fc.array(parameters, { maxLength: 12 }), (type, given) => {
        const data = encodeContract({ type, parameters: given })
        expect(looksLikeContract(data)).toBe(true)
        expect(decodeContract(data)).toEqual({ type, parameters: given })
      }),
    )
  })

  it.each(['', 'hello', '000d0100abcd', '000c9900abcd', '000c0500abcd', '000C01abcd00'])(
    '%j is a memo',
    (data) => expect(looksLikeContract(data)).toBe(false),
  )

  it.each([
    '000c02000a7e',
    'c   1300da3d',
    '0xc 1300da3d',
    'cz  1300da3d',
    '000C0100abcd',
    '000c1500abcd',
    '000c2200abcd',
  ])('%j is taken for a contract', (data) => expect(looksLikeContract(data)).toBe(true))

  it.each([
    ['a part that is cut off', '000c0200abcd'],
    ['a length below eight', '00180200' + '0007' + '0f00' + 'abcdefgh'],
    ['nothing behind its code', '00080200'],
    ['other things than parameters', '00100200' + '00080d00'],
    ['a key without value', '0019' + '0200' + '0011' + '0f00' + '0009' + '0d00' + 'a'],
    [
      'letters in a big number',
      '0023' + '0100' + '001b' + '0f00' + '0009' + '0d00' + 'a' + '000a' + '0900' + '1x',
    ],
    [
      'letters in a small number',
      '0023' + '0100' + '001b' + '0f00' + '0009' + '0d00' + 'a' + '000a' + '0800' + '1x',
    ],
    [
      'a value of an unknown type',
      '0023' + '0100' + '001b' + '0f00' + '0009' + '0d00' + 'a' + '000a' + '0b00' + '12',
    ],
  ])('with %s cannot be decoded', (_, data) => {
    expect(() => decodeContract(data)).toThrow(expect.objectContaining({ code: 'CONTRACT_MALFORMED' }))
  })

  it('reads no further than its text, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'0123456789abcdf ')), (characters) => {
        const body = characters.join('')
        const data = `${(body.length + 8).toString(16).padStart(4, '0')}0200${body}`
        try {
          decodeContract(data)
        } catch (error) {
          expect(error).toMatchObject({ code: 'CONTRACT_MALFORMED' })
        }
      }),
    )
  })
})
