import type { Hash } from '@hailstone/protocol'

/** A copy of a hash that was cut out of a frame: the cutting would keep the whole frame in memory. */
export const detached = (hash: Hash): Hash => Buffer.from(hash, 'latin1').toString('latin1') as Hash
