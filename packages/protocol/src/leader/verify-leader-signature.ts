import { isHash } from '../values/hash.ts'
import { baseCurve } from './curve.ts'
import { hashToPoint, identityPoint } from './hash-to-point.ts'
import { readSignaturePoints, type SignatureFault } from './leader-signature.ts'
import { type LeaderStatement, type StatementHashes, statementHashes } from './leader-statement.ts'
import { type MasterPublicKey, parseMasterPublicKey, secondGenerator } from './master-public-key.ts'
import { isPairingProductOne } from './pairing.ts'

/** Reason why a leader's signature is not accepted. */
export type LeaderSignatureRefusal =
  | 'masterPublicKeyNotUsable'
  | 'signedValuesMalformed'
  | SignatureFault
  | 'signatureDoesNotFit'

/** Result of a check of a leader's signature, with the reason for a refusal. */
export type LeaderSignatureCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: LeaderSignatureRefusal }

type Verification = {
  /** Take it from configuration, not from the gateway being checked: whoever names this key names the leader. */
  readonly masterPublicKey: MasterPublicKey
  /** The signature as received. Any value is safe; wrong shapes are refused. */
  readonly signature: unknown
}

const refused = (refusal: LeaderSignatureRefusal): LeaderSignatureCheck => ({ ok: false, refusal })

/**
 * Decides e(S2, G0) = e(Q, MPK)·e(H, S1) (PROTOCOL 8.7) for hashes that were computed elsewhere; as one product,
 * e(S2, G0)·e(-Q, MPK)·e(-H, S1) = 1. Costs and errors as {@link verifyLeaderSignature}.
 *
 * Points of small order are no way in. The pairing is bilinear and defined for points of every order, and the
 * equation is one of values in the cyclic group of order p + 1 = q·h, q = 2^159 + 2^17 + 1 prime, q² no factor.
 * Taking both sides to the power h leaves the same equation among the parts of order q of all points: whatever
 * passes here passes in the group of order q, where the scheme stands on the Diffie-Hellman problem. A signature
 * point of an order without q has the part O there. With S2 such a point, S1 would have to solve
 * e(H, S1) = e(Q, MPK)^-1 in the part of order q; with S1 such a point (or any point over F_p, with which H pairs
 * to 1), S2 would have to be the leader's secret msk·Q up to parts that do not matter. What does exist is
 * malleability: S1 + any point over F_p verifies for the same values. So a signature is no identifier.
 */
export function checkSignedHashes(parameters: Verification & StatementHashes): LeaderSignatureCheck {
  const { identityHash, messageHash } = parameters
  if (!isHash(identityHash) || !isHash(messageHash)) return refused('signedValuesMalformed')
  const masterPoint = parseMasterPublicKey(parameters.masterPublicKey)
  if (masterPoint === null) return refused('masterPublicKeyNotUsable')
  const points = readSignaturePoints(parameters.signature)
  if (typeof points === 'string') return refused(points)
  const identity = identityPoint(BigInt(`0x${identityHash}`))
  const message = hashToPoint(BigInt(`0x${messageHash}`))
  const fits = isPairingProductOne([
    { a: points.s, b: secondGenerator },
    { a: baseCurve.negate(identity), b: masterPoint },
    { a: baseCurve.negate(message), b: points.r },
  ])
  return fits ? { ok: true } : refused('signatureDoesNotFit')
}

/** Like {@link verifyLeaderSignature}, with the reason of a refusal. */
export function checkLeaderSignature(parameters: LeaderStatement & Verification): LeaderSignatureCheck {
  const hashes = statementHashes(parameters)
  if (hashes === null) return refused('signedValuesMalformed')
  return checkSignedHashes({ ...parameters, ...hashes })
}

/**
 * Returns true if the leader signed a macroblock root or, before fork 002, a beacon (PROTOCOL 8.7). Never throws
 * because of received data: malformed values are not signatures. False means "do not publish", not "wrong network".
 *
 * Costs about 15 ms of CPU time when warm, 35 ms the first time (Node 20, Xeon of 2.5 GHz); malformed texts and
 * points off the curve less than 0.1 ms. The worst case adds 0.3 ms for every further candidate of the two hashed
 * points, and finding a run of k candidates takes 2^k hashes. Run it off the main thread, and once per beacon and
 * process, not per node: the result depends on the arguments only.
 *
 * @example verifyLeaderSignature({
 *   masterPublicKey: masterPublicKeys.pulse,
 *   leaderId: '14532',
 *   keyBlockHash: keyBlock.link,
 *   merkleRoot: keyBlock.merkleRoot,
 *   signature: parseLeaderSignature(keyBlock.leaderSignature.bytes), })
 */
export const verifyLeaderSignature = (parameters: LeaderStatement & Verification): boolean =>
  checkLeaderSignature(parameters).ok
