import { defineFlood } from '../flood/define-flood.ts'
import { floodPool, poolFigures, poolNetwork, receiverOf } from '../pool/flood-pool.ts'
import { freshSender, signedBody } from '../pool/signed-body.ts'

export const poolOneKey = defineFlood({
  name: 'pool-one-key',
  row: 'A-10',
  what: 'one key without coins posts 3,000 payments, and more as long as it lasts',
  network: poolNetwork,
  pays: true,
  more: poolFigures,
  flood(target) {
    const from = freshSender()
    const make = () => signedBody({ from, to: receiverOf(target), tokenId: target.nativeTokenId }).body
    const bodies = Array.from({ length: 3000 }, make)
    let next = 0
    return floodPool(target, { connections: 4, depth: 8, nextBody: () => bodies[next++] ?? make() })
  },
})
