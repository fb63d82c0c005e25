import { hostError } from '../errors/host-error.ts'
import type { NodeError } from '../errors/node-error.ts'
import { baseCurve, type ExtensionPoint, embed, extensionCurve } from './curve.ts'
import type { ExtensionElement } from './extension-field.ts'
import { GROUP_ORDER } from './field.ts'
import { hashToPoint, identityPoint } from './hash-to-point.ts'
import type { LeaderSignature } from './leader-signature.ts'
import { type LeaderStatement, statementHashes } from './leader-statement.ts'
import { type MasterPublicKey, secondGenerator } from './master-public-key.ts'

const refused = (reason: string): NodeError => hostError('LEADER_SIGNING_REFUSED', { reason })

function assertScalar(name: string, scalar: bigint): void {
  if (scalar <= 0n || scalar >= GROUP_ORDER) throw refused(`${name} is not in 1 … p`)
}

function drawn(point: ExtensionPoint): NonNullable<ExtensionPoint> {
  if (point === null) throw refused('the scalars lead to the neutral element; draw others')
  return point
}

/** Coefficients, highest first, without leading zeros. */
const listOf = ({ c1, c0 }: ExtensionElement): readonly string[] =>
  c1 !== 0n ? [c1.toString(), c0.toString()] : c0 !== 0n ? [c0.toString()] : []

const textOf = ({ c1, c0 }: ExtensionElement): string => (c1 !== 0n ? `1 ${c1} ${c0}` : `0 ${c0}`)

/**
 * Returns the master public key msk·G0 of a development network (PROTOCOL 8.2).
 *
 * @throws {NodeError} `LEADER_SIGNING_REFUSED` unless the secret is in 1 … p
 */
export function masterPublicKeyOf(masterSecret: bigint): MasterPublicKey {
  assertScalar('the master secret', masterSecret)
  const { x, y } = drawn(extensionCurve.multiply(masterSecret, secondGenerator))
  return { x: textOf(x), y: textOf(y) }
}

/**
 * Signs as the leader (PROTOCOL 8.5), for tests and development networks: its time depends on the secret.
 *
 * @throws {NodeError} `LEADER_SIGNING_REFUSED` unless both scalars are in 1 … p and the statement is well formed
 */
export function signLeaderMessage(parameters: {
  readonly masterSecret: bigint
  /** Uniform in 1 … p, never used twice. */
  readonly randomScalar: bigint
  readonly statement: LeaderStatement
}): LeaderSignature {
  const { masterSecret, randomScalar, statement } = parameters
  assertScalar('the master secret', masterSecret)
  assertScalar('the random scalar', randomScalar)
  const hashes = statementHashes(statement)
  if (hashes === null) throw refused('the statement is malformed')
  const secret = baseCurve.multiply(masterSecret, identityPoint(BigInt(`0x${hashes.identityHash}`)))
  const message = baseCurve.multiply(randomScalar, hashToPoint(BigInt(`0x${hashes.messageHash}`)))
  const r = drawn(extensionCurve.multiply(randomScalar, secondGenerator))
  const s = drawn(embed(baseCurve.add(message, secret)))
  return { r: { x: listOf(r.x), y: listOf(r.y) }, s: { x: listOf(s.x), y: listOf(s.y) } }
}
