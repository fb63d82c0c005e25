import { defineFlood } from '../flood/define-flood.ts'
import { floodPool, poolFigures, poolNetwork, receiverOf } from '../pool/flood-pool.ts'
import { freshSender, signedBody } from '../pool/signed-body.ts'

export const poolBadSignatures = defineFlood({
  name: 'pool-bad-signatures',
  row: 'A-10',
  what: '8 connections post payments with signatures of other payments, 32 at once each',
  network: poolNetwork,
  pays: true,
  more: poolFigures,
  flood(target) {
    const { nativeTokenId: tokenId } = target
    const from = target.accounts[3] ?? freshSender()
    const valid = JSON.parse(signedBody({ from, to: receiverOf(target), tokenId }).body) as [{ sign: string }]
    const signature = valid[0].sign
    return floodPool(target, {
      connections: 8,
      depth: 32,
      nextBody: () => signedBody({ from, to: receiverOf(target), tokenId, signature }).body,
    })
  },
})
