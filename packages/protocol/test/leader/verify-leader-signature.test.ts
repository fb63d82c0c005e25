import * as leader from '@hailstone/protocol/leader'
import {
  checkLeaderSignature,
  type LeaderSignature,
  type LeaderStatement,
  type MasterPublicKey,
  masterPublicKeyOf,
  masterPublicKeys,
  parseLeaderSignature,
  signLeaderMessage,
  verifyLeaderSignature,
} from '@hailstone/protocol/leader'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { sha256Hex } from '../../src/hashing.ts'
import {
  type BasePoint,
  baseCurve,
  type ExtensionPoint,
  embed,
  extensionCurve,
} from '../../src/leader/curve.ts'
import { FIELD_PRIME, GROUP_ORDER } from '../../src/leader/field.ts'
import { hashToPoint, identityPoint } from '../../src/leader/hash-to-point.ts'
import { readSignaturePoints } from '../../src/leader/leader-signature.ts'
import { statementHashes } from '../../src/leader/leader-statement.ts'
import { parseMasterPublicKey, secondGenerator } from '../../src/leader/master-public-key.ts'
import { literalMultiple, literalPointFrom } from './literal-pairing.ts'

const SLOW_MS = 600_000
/** Limit for the larger sizes of S-2: HAILSTONE_LEADER_SIGNATURES=10000 and HAILSTONE_LEADER_FORGERIES=100000. */
const HOURS_MS = 4 * 3_600_000
const BIG_PRIME = 2n ** 159n + 2n ** 17n + 1n

const masterSecret = 0x1234_5678_9abc_def0_1234_5678_9abc_def0_1234_5678n
const masterPublicKey = masterPublicKeyOf(masterSecret)

const blockHash = (n: number) => sha256Hex(`key block ${n}`)
const macroblock = (n: number): LeaderStatement => ({
  leaderId: '14532',
  keyBlockHash: blockHash(n),
  merkleRoot: sha256Hex(`root ${n}`),
})
const microblock = (n: number): LeaderStatement => ({
  leaderId: '14532',
  keyBlockHash: blockHash(n),
  microblockHash: sha256Hex(`microblock ${n}`),
  nonce: n,
})
const scalars = fc.bigInt(1n, FIELD_PRIME)
const signed = (statement: LeaderStatement, randomScalar = 0xfeed_beefn) =>
  signLeaderMessage({ masterSecret, randomScalar, statement })
const check = (statement: LeaderStatement, signature: unknown, key: MasterPublicKey = masterPublicKey) =>
  checkLeaderSignature({ ...statement, masterPublicKey: key, signature })

const points = (signature: LeaderSignature) => {
  const read = readSignaturePoints(signature)
  if (typeof read === 'string') throw new Error(read)
  return read
}

/** Writes points in the form of a signature without checking them; O as empty lists. */
function written(given: { readonly r: ExtensionPoint; readonly s: ExtensionPoint }): LeaderSignature {
  const list = (element: { c1: bigint; c0: bigint } | undefined) => {
    if (element === undefined || (element.c1 === 0n && element.c0 === 0n)) return []
    return (element.c1 === 0n ? [element.c0] : [element.c1, element.c0]).map(String)
  }
  return {
    r: { x: list(given.r?.x), y: list(given.r?.y) },
    s: { x: list(given.s?.x), y: list(given.s?.y) },
  }
}

function ofOrder<T>(order: bigint, multiple: (scalar: bigint, n: bigint) => T | null): T {
  for (let n = 1n; ; n++) {
    const primes = [2n, 197n, 263n, BIG_PRIME].filter((prime) => order % prime === 0n)
    const isWhole = primes.every((prime) => multiple(GROUP_ORDER / prime, n) !== null)
    const point = multiple(GROUP_ORDER / order, n)
    if (isWhole && point !== null) return point
  }
}

const basePointOfOrder = (order: bigint): BasePoint =>
  ofOrder(order, (scalar, n) => baseCurve.multiply(scalar, hashToPoint(n)))

const extensionPointOfOrder = (order: bigint): ExtensionPoint =>
  ofOrder(order, (scalar, n) => {
    const point = literalMultiple(scalar, literalPointFrom([n, n]))
    if (point === 'O') return null
    const [[x1, x0], [y1, y0]] = point
    return { x: { c1: x1, c0: x0 }, y: { c1: y1, c0: y0 } }
  })

describe('a leader signature', () => {
  it('S-2: is accepted for the macroblock or beacon that was signed', { timeout: HOURS_MS }, () => {
    const claim = fc.property(fc.nat(), scalars, scalars, (n, secret, randomScalar) => {
      for (const statement of [macroblock(n), microblock(n)]) {
        const signature = signLeaderMessage({ masterSecret: secret, randomScalar, statement })
        expect(check(statement, signature, masterPublicKeyOf(secret))).toEqual({ ok: true })
      }
    })
    fc.assert(claim, { numRuns: gateSize('HAILSTONE_LEADER_SIGNATURES', { change: 5, night: 15 }) })
  })

  it('is accepted in the forms that beacons and key blocks carry it in', () => {
    const signature = signed(macroblock(1))
    const bytes = [...Buffer.from(JSON.stringify(signature))]
    expect(parseLeaderSignature(bytes)).toEqual(signature)
    expect(parseLeaderSignature(Uint8Array.from(bytes))).toEqual(signature)
    const given = { ...macroblock(1), masterPublicKey, signature }
    expect(verifyLeaderSignature(given)).toBe(true)
    expect(verifyLeaderSignature({ ...given, leaderId: 14532n })).toBe(true)
    expect(verifyLeaderSignature({ ...given, leaderId: 14532 })).toBe(true)
    expect(verifyLeaderSignature({ ...given, leaderId: 14533 })).toBe(false)
  })

  it('is accepted on the origin block, whose name is a text', () => {
    const statement = { ...macroblock(1), keyBlockHash: 'ENQGENESIS' }
    expect(check(statement, signed(statement))).toEqual({ ok: true })
  })
})

describe('a forged leader signature', () => {
  const statement = microblock(7)
  const good = signed(statement)
  const { r, s } = points(good)
  const other = signed(microblock(8), 0xabcdn)
  const otherPoints = points(other)
  const fits = { ok: false, refusal: 'signatureDoesNotFit' }
  const notAllowed = { ok: false, refusal: 'signaturePointNotAllowed' }
  const malformed = { ok: false, refusal: 'signatureMalformed' }

  it('is refused when any bit of any coefficient is flipped', () => {
    const paths = [
      ['r', 'x', 0],
      ['r', 'x', 1],
      ['r', 'y', 0],
      ['r', 'y', 1],
      ['s', 'x', 0],
      ['s', 'y', 0],
    ] as const
    let flipped = 0
    for (const [point, coordinate, at] of paths) {
      for (let bit = 0n; bit < 512n; bit++) {
        const forged = structuredClone(good) as Record<'r' | 's', Record<'x' | 'y', string[]>>
        const list = forged[point][coordinate]
        list[at] = (BigInt(list[at] ?? '') ^ (1n << bit)).toString()
        const { ok } = check(statement, forged)
        expect(ok, `${point}.${coordinate}[${at}] bit ${bit}`).toBe(false)
        flipped++
      }
    }
    expect(flipped).toBe(3072)
  })

  it('is refused when one bit of what was signed is flipped', { timeout: SLOW_MS }, () => {
    const flip = (hash: string, at: number) =>
      hash.slice(0, at) + (Number.parseInt(hash[at] ?? '', 16) ^ 1).toString(16) + hash.slice(at + 1)
    for (let at = 0; at < 64; at += 4) {
      const text = 'microblockHash' in statement ? statement.microblockHash : ''
      expect(check({ ...statement, microblockHash: flip(text, at) } as LeaderStatement, good)).toEqual(fits)
      expect(check({ ...statement, keyBlockHash: flip(statement.keyBlockHash, at) }, good)).toEqual(fits)
    }
  })

  it('is refused for another nonce, leader, kind of statement or master key', { timeout: SLOW_MS }, () => {
    for (const nonce of [0, 1, 6, 8, 70, 77]) expect(check({ ...statement, nonce }, good)).toEqual(fits)
    for (const leaderId of ['14531', '14533', '145327', '1453', '0', '014532']) {
      expect(check({ ...statement, leaderId }, good)).toEqual(fits)
    }
    // Moving digits between the leader's id and the nonce keeps the identity; the message contains the id.
    expect(check({ ...microblock(27), keyBlockHash: blockHash(7), leaderId: '1453' }, good)).toEqual(fits)
    const { keyBlockHash, leaderId } = statement
    const merkleRoot = sha256Hex('microblock 7')
    expect(check({ leaderId, keyBlockHash, merkleRoot }, good)).toEqual(fits)
    for (const key of [masterPublicKeys.pulse, masterPublicKeys.bit, masterPublicKeyOf(masterSecret + 1n)]) {
      expect(check(statement, good, key)).toEqual(fits)
    }
  })

  it('is refused when its points are swapped, mixed with another signature, or moved', {
    timeout: SLOW_MS,
  }, () => {
    const secret = baseCurve.multiply(masterSecret, basePointOfOrder(BIG_PRIME))
    const forgeries = [
      written({ r, s: embed(otherPoints.s) }),
      written({ r: otherPoints.r, s: embed(s) }),
      other,
      written({ r: extensionCurve.negate(r), s: embed(s) }),
      written({ r, s: embed(baseCurve.negate(s)) }),
      written({ r: extensionCurve.negate(r), s: embed(baseCurve.negate(s)) }),
      written({ r: extensionCurve.add(r, secondGenerator), s: embed(s) }),
      written({ r, s: embed(baseCurve.add(s, otherPoints.s)) }),
      written({ r, s: embed(baseCurve.add(s, secret)) }),
      written({ r: parseMasterPublicKey(masterPublicKey), s: embed(s) }),
      written({ r: secondGenerator, s: embed(s) }),
      ...[2n, 3n, 197n, 263n, masterSecret, GROUP_ORDER - 2n].flatMap((n) => [
        written({ r: extensionCurve.multiply(n, r), s: embed(s) }),
        written({ r, s: embed(baseCurve.multiply(n, s)) }),
        written({ r: extensionCurve.multiply(n, r), s: embed(baseCurve.multiply(n, s)) }),
      ]),
    ]
    for (const forged of forgeries) expect(check(statement, forged)).toEqual(fits)
    expect(check(statement, { r: good.s, s: good.r })).toEqual(notAllowed)
    expect(check(statement, { r: good.s, s: good.s })).toEqual(fits)
    expect(check(statement, { r: good.r, s: good.r })).toEqual(notAllowed)
    expect(check(statement, written({ r, s: r }))).toEqual(notAllowed)
  })

  it('is refused when a point has small order, alone, with the other point, or added to it', {
    timeout: SLOW_MS,
  }, () => {
    for (const order of [4n, 197n, 263n, 788n, 197n * 263n, 788n * 263n, BIG_PRIME]) {
      const small = basePointOfOrder(order)
      const smallExtension = extensionPointOfOrder(order)
      const forgeries = [
        written({ r, s: embed(small) }),
        written({ r: smallExtension, s: embed(s) }),
        written({ r: smallExtension, s: embed(small) }),
        written({ r: embed(small), s: embed(s) }),
        written({ r: embed(small), s: embed(small) }),
        written({ r: extensionCurve.add(r, smallExtension), s: embed(s) }),
        written({ r, s: embed(baseCurve.add(s, small)) }),
      ]
      for (const forged of forgeries) expect(check(statement, forged), `order ${order}`).toEqual(fits)
    }
  })

  it('is refused when a point is O or of order 2 over F_p', () => {
    const origin = { r: { x: [], y: [] }, s: { x: [], y: [] } }
    expect(check(statement, { ...good, r: origin.r })).toEqual(notAllowed)
    expect(check(statement, { ...good, s: origin.s })).toEqual(notAllowed)
    expect(check(statement, origin)).toEqual(notAllowed)
  })

  it('is refused when a point is off the curve', () => {
    const off: unknown[] = []
    for (let n = 1; n <= 40; n++) {
      off.push({ ...good, s: { x: [String(n)], y: [String(n + 1)] } })
      off.push({ ...good, r: { x: [String(n), '456'], y: good.r.y } })
      off.push({ ...good, r: { x: good.r.y, y: good.r.x } })
    }
    for (const forged of off) expect(check(statement, forged)).toEqual(notAllowed)
  })

  it('is refused when a coefficient is not a canonical decimal below p', () => {
    const [value = ''] = good.s.x
    const texts = [
      (BigInt(value) + FIELD_PRIME).toString(),
      FIELD_PRIME.toString(),
      `0${value}`,
      `+${value}`,
      `-${value}`,
      ` ${value}`,
      `${value} `,
      `${value}\n`,
      `${value}.0`,
      `${value}n`,
      `0x${BigInt(value).toString(16)}`,
      BigInt(value).toString(16),
      '1e3',
      '',
      '٣',
      '9'.repeat(1_000_000),
    ]
    const lists: unknown[] = [
      ...texts.map((text) => [text]),
      ['0', value],
      ['0', '0', value],
      ['1', '2', '3'],
      ['0'],
      [BigInt(value)],
      [Number(value)],
      [null],
      [[value]],
      value,
      null,
      undefined,
      { 0: value, length: 1 },
    ]
    for (const x of lists) expect(check(statement, { ...good, s: { ...good.s, x } })).toEqual(malformed)
    for (const x of lists) expect(check(statement, { ...good, r: { ...good.r, x } })).toEqual(malformed)
  })

  it('never throws, whatever stands in its place', () => {
    const claim = fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
      expect(check(statement, value).ok).toBe(false)
      expect(check(statement, { r: value, s: good.s }).ok).toBe(false)
      expect(check(statement, { r: good.r, s: { x: value, y: value } }).ok).toBe(false)
      const masterPublicKey = value as MasterPublicKey
      expect(checkLeaderSignature({ ...statement, masterPublicKey, signature: good }).ok).toBe(false)
      expect(check({ ...statement, leaderId: value } as LeaderStatement, null).ok).toBe(false)
      expect(check({ ...statement, nonce: value } as LeaderStatement, null).ok).toBe(false)
    })
    fc.assert(claim, { numRuns: 2000 })
  })

  it('S-2: is refused for random points on the curve', { timeout: HOURS_MS }, () => {
    const claim = fc.property(scalars, scalars, fc.bigInt(1n, FIELD_PRIME), (m, n, at) => {
      const forged = written({
        r: extensionCurve.multiply(m, secondGenerator),
        s: embed(baseCurve.multiply(n, hashToPoint(at))),
      })
      // Some of them are invalid points.
      expect(check(statement, forged).ok).toBe(false)
    })
    fc.assert(claim, { numRuns: gateSize('HAILSTONE_LEADER_FORGERIES', { change: 25, night: 100 }) })
  })
})

describe('what a verified signature does not say', () => {
  it('is not unique: r may be moved by any point over F_p', () => {
    const { r, s } = points(signed(macroblock(3)))
    const moved = extensionCurve.add(r, embed(hashToPoint(5n)))
    expect(check(macroblock(3), written({ r: moved, s: embed(s) }))).toEqual({ ok: true })
  })

  it('is made by whoever knows the secret of the leader, also without randomness', () => {
    const { identityHash = '' } = statementHashes(macroblock(3)) ?? {}
    const secret = baseCurve.multiply(masterSecret, identityPoint(BigInt(`0x${identityHash}`)))
    const naked = written({ r: embed(hashToPoint(5n)), s: embed(secret) })
    expect(check(macroblock(3), naked)).toEqual({ ok: true })
    expect(check(macroblock(4), naked).ok).toBe(false)
  })
})

describe('the values that are signed', () => {
  const { merkleRoot: _, ...rest } = macroblock(1) as LeaderStatement & { merkleRoot: string }
  it.each<[string, unknown]>([
    ['a short root', { ...rest, merkleRoot: 'ab' }],
    ['no root', rest],
    ['a root with a blank', { ...rest, merkleRoot: `${'a'.repeat(63)} ` }],
    ['a key block name that ends in a digit', { ...macroblock(1), keyBlockHash: 'ENQGENESIS1' }],
    ['an empty key block name', { ...macroblock(1), keyBlockHash: '' }],
    ['a leader that is not decimal', { ...macroblock(1), leaderId: '14a' }],
    ['a negative leader', { ...macroblock(1), leaderId: -1 }],
    ['an empty leader', { ...macroblock(1), leaderId: '' }],
    ['a nonce with a fraction', { ...microblock(1), nonce: 1.5 }],
  ])('are refused with %s', (_name, statement) => {
    expect(check(statement as LeaderStatement, signed(macroblock(1)))).toEqual({
      ok: false,
      refusal: 'signedValuesMalformed',
    })
  })
})

describe('a master public key', () => {
  const { x, y } = masterPublicKey

  it.each(Object.entries(masterPublicKeys))('of %s is on the curve', (_name, key) => {
    expect(parseMasterPublicKey(key)).not.toBeNull()
  })

  it.each<[string, unknown]>([
    ['off the curve', { x, y: x }],
    ['over F_p', { x: '0 95', y: '0 95' }],
    ['of a point over F_p', overBaseField()],
    ['with a leading zero', { x: x.replace('1 ', '1 0'), y }],
    ['with a wrong degree', { x: x.replace('1 ', '0 '), y }],
    ['with a zero in front', { x: x.replace(/^1 \d+ /, '1 0 '), y }],
    ['with two blanks', { x: x.replace(' ', '  '), y }],
    ['with a coefficient too large', { x: `1 ${FIELD_PRIME} 5`, y }],
    ['that is too long', { x: `1 ${'9'.repeat(1_000_000)} 5`, y }],
    ['without a member', { x }],
    ['that is null', null],
  ])('is refused when it is one %s', (_name, key) => {
    expect(check(macroblock(1), signed(macroblock(1)), key as MasterPublicKey)).toEqual({
      ok: false,
      refusal: 'masterPublicKeyNotUsable',
    })
  })

  function overBaseField(): MasterPublicKey {
    const point = hashToPoint(1n)
    return { x: `0 ${point.x}`, y: `0 ${point.y}` }
  }
})

describe('the bytes in a key block', () => {
  const text = JSON.stringify(signed(macroblock(1)))

  it.each<[string, string]>([
    ['nothing', ''],
    ['half of it', text.slice(0, text.length / 2)],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number as coefficient', '{"r":{"x":[1],"y":["1"]},"s":{"x":["1"],"y":["1"]}}'],
    ['no s', '{"r":{"x":["1"],"y":["1"]}}'],
    ['more than a signature can have', text + ' '.repeat(4096)],
    ['letters that are not ASCII', text.replace('{', '{"é":1,')],
  ])('are no signature when they hold %s', (_name, given) => {
    expect(parseLeaderSignature([...Buffer.from(given)])).toBeNull()
  })

  it('are no signature when one is not a byte', () => {
    expect(parseLeaderSignature([123, 300, 125])).toBeNull()
    expect(parseLeaderSignature([0.5])).toBeNull()
  })
})

describe('signing', () => {
  const statement = macroblock(1)

  it.each([0n, -1n, GROUP_ORDER])('refuses the scalar %d', (scalar) => {
    const code = expect.objectContaining({ code: 'LEADER_SIGNING_REFUSED' })
    expect(() => masterPublicKeyOf(scalar)).toThrow(code)
    expect(() => signLeaderMessage({ masterSecret: scalar, randomScalar: 1n, statement })).toThrow(code)
    expect(() => signLeaderMessage({ masterSecret, randomScalar: scalar, statement })).toThrow(code)
  })

  it('refuses a statement that is malformed', () => {
    expect(() => signed({ ...statement, leaderId: 'x' })).toThrow(
      expect.objectContaining({ code: 'LEADER_SIGNING_REFUSED' }),
    )
  })
})

it('exports these names and no others', () => {
  expect(Object.keys(leader).sort()).toMatchInlineSnapshot(`
    [
      "baseCurve",
      "checkLeaderSignature",
      "checkSignedHashes",
      "hashToPoint",
      "identityPoint",
      "masterPublicKeyOf",
      "masterPublicKeys",
      "pairing",
      "parseLeaderSignature",
      "secondGenerator",
      "signLeaderMessage",
      "statementHashes",
      "verifyLeaderSignature",
    ]
  `)
})
