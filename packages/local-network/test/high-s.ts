import {
  CURVE_ORDER,
  compactToDer,
  derToCompact,
  lenientHexToBytes,
  type Signature,
} from '@hailstone/protocol'

/** The other form of a signature: just as valid on the public network, and another transaction hash. */
export function highSOf(signature: string): Signature {
  const compact = Uint8Array.from(derToCompact(lenientHexToBytes(signature)))
  const s = BigInt(`0x${Buffer.from(compact.subarray(32)).toString('hex')}`)
  const turned = (CURVE_ORDER - s).toString(16).padStart(64, '0')
  compact.set(Buffer.from(turned, 'hex'), 32)
  return Buffer.from(compactToDer(compact)).toString('hex') as Signature
}
