import { defineFlood } from '../flood/define-flood.ts'
import { floodPool, poolFigures, poolNetwork, receiverOf } from '../pool/flood-pool.ts'
import { freshSender, signedBody } from '../pool/signed-body.ts'

export const poolManyKeys = defineFlood({
  name: 'pool-many-keys',
  row: 'A-10',
  what: 'thousands of fresh keys without coins post one payment each',
  network: poolNetwork,
  pays: true,
  more: poolFigures,
  flood: (target) =>
    floodPool(target, {
      connections: 4,
      depth: 8,
      nextBody: () =>
        signedBody({ from: freshSender(), to: receiverOf(target), tokenId: target.nativeTokenId }).body,
    }),
})
