import type { Hash, JsonValue } from '@hailstone/protocol'
import {
  baseCurve,
  checkSignedHashes,
  type ExtensionElement,
  hashToPoint,
  identityPoint,
  type MasterPublicKey,
  pairing,
  secondGenerator,
  statementHashes,
} from '@hailstone/protocol/leader'
import { asObject, asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

const textsOf = (point: { readonly x: bigint; readonly y: bigint } | null) =>
  point === null ? null : { x: point.x.toString(), y: point.y.toString() }

const coefficientsOf = ({ c1, c0 }: ExtensionElement) => ({ coefficients: [c1.toString(), c0.toString()] })

/** Compares a member that a case may omit. */
const ifGiven = (what: string, expected: JsonValue | undefined, found: unknown) =>
  expected === undefined ? null : difference(what, expected, found)

const integerOf = (hash: JsonValue | undefined): bigint => BigInt(`0x${asText(hash)}`)

function hashesOf(given: Case) {
  const leader = { leaderId: asText(given.leader_id), keyBlockHash: asText(given.kblocks_hash) }
  return given.mode === 'macroblock'
    ? statementHashes({ ...leader, merkleRoot: asText(given.m_root) })
    : statementHashes({ ...leader, microblockHash: asText(given.m_hash), nonce: BigInt(asText(given.nonce)) })
}

/** The hashes, their points, and the verdict on the signature (PROTOCOL 8.3, 8.4, 8.7). */
function signature(given: Case) {
  const stated = { identityHash: asText(given.pk_hash) as Hash, messageHash: asText(given.h_hash) as Hash }
  const mpk = asObject(given.mpk)
  const masterPublicKey: MasterPublicKey = { x: asText(mpk.x), y: asText(mpk.y) }
  const { ok } = checkSignedHashes({ ...stated, masterPublicKey, signature: given.leader_sign })
  return [
    given.mode === 'hashes only' ? null : difference('hashes', stated, hashesOf(given)),
    ifGiven('q_point', given.q_point, textsOf(identityPoint(integerOf(given.pk_hash)))),
    ifGiven('h_point', given.h_point, textsOf(hashToPoint(integerOf(given.h_hash)))),
    difference('valid', given.valid, ok),
  ]
}

function hashedPoint(given: Case) {
  const start = integerOf(given.hash)
  const point = hashToPoint(start)
  return [
    difference('increments', given.increments, point.x - start),
    difference('h_point', given.h_point, textsOf(point)),
    difference('q_point', given.q_point, textsOf(identityPoint(start))),
  ]
}

function pairingValue(given: Case) {
  const { x, y } = asObject(given.p_point)
  const a = { x: BigInt(asText(x)), y: BigInt(asText(y)) }
  const multiple = baseCurve.multiply(BigInt(asText(given.k)), a)
  return [
    difference('p_point is on the curve', true, baseCurve.has(a)),
    difference('value', given.value, coefficientsOf(pairing({ a, b: secondGenerator }))),
    difference(
      'value_of_k_times_p',
      given.value_of_k_times_p,
      coefficientsOf(pairing({ a: multiple, b: secondGenerator })),
    ),
  ]
}

const modes: Readonly<Record<string, (given: Case) => readonly (string | null)[]>> = {
  microblock: signature,
  macroblock: signature,
  'hashes only': signature,
  hash_to_point: hashedPoint,
  pairing: pairingValue,
}

/** Signatures of the leader, with their points and pairings (PROTOCOL 8). */
export const check: Check = {
  kind: 'leader signatures',
  recognises: (file) =>
    everyCaseHas(file, 'mode') && casesOf(file).some(({ mode }) => Object.hasOwn(modes, asText(mode))),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => {
        const mode = asText(given.mode)
        const compare = Object.hasOwn(modes, mode) ? modes[mode] : undefined
        return compare === undefined ? [`the mode ${mode} is not known`] : compare(given)
      }),
    ),
}
