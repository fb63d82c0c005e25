import type { Address, Hash, TokenId } from '@hailstone/protocol'
import { chooseToken, placeIn, type Random } from '../chain/selection.ts'
import type { GatewayEnd, Group, Share } from './gateway-end.ts'

export type DrawnGateway = Group & { readonly gateway: GatewayEnd }

/**
 * Draws a token by the number of its miners, then a gateway by the sum of their weights there (PROTOCOL 5.7, steps 4 and
 * 5). The gateway draws the miner: (W_g / W) · (w / W_g) is w / W, so each has the chance that it has at one gateway with
 * all others. If all weights are 0, the first gateway that has a miner is drawn.
 *
 * The public server counts every connection for its token. Sockets that say hail for invented tokens then get most of
 * the places, and keep what they are offered from the others until its time-out. So here a miner that could not publish
 * is offered something only while there is nobody at any gateway who could, resting ones included.
 *
 * The public server also offers what was not answered to the same slot owner's miners, again and again. One that does not
 * answer then keeps everything from the miners of the native token, and the macroblock stays open for ever. So here what
 * was offered in vain is offered to the miners of another token, if there are any.
 */
export function drawGateway(parameters: {
  readonly gateways: Iterable<GatewayEnd>
  /** Gateways whose weights are of another key block are left out. */
  readonly keyBlockHash: Hash
  readonly slotOwner: Address | null
  readonly ownerOf: (tokenId: TokenId) => Address | undefined
  /** Tokens of the miners that were offered the same before and did not answer. */
  readonly inVainIn: ReadonlySet<TokenId>
  readonly random: Random
}): DrawnGateway | undefined {
  const { gateways, keyBlockHash, slotOwner, ownerOf, inVainIn, random } = parameters
  const stands = Array.from(gateways, (gateway) => ({ gateway, stand: gateway.stand() }))
  const isStaked = stands.some(({ stand }) => stand !== null && stand.staked > 0)
  const present = stands.flatMap(({ gateway, stand }) =>
    stand?.keyBlockHash === keyBlockHash ? [{ gateway, shares: stand.rested(isStaked) }] : [],
  )
  const minersByToken = new Map<TokenId, number>()
  for (const { shares } of present)
    for (const [tokenId, { count }] of shares)
      minersByToken.set(tokenId, (minersByToken.get(tokenId) ?? 0) + count)
  const others = new Map([...minersByToken].filter(([tokenId]) => !inVainIn.has(tokenId)))
  const tokenId = chooseToken({
    minersByToken: others.size > 0 ? others : minersByToken,
    slotOwner,
    ownerOf,
    random,
  })
  if (tokenId === undefined) return undefined
  const having = present.flatMap(({ gateway, shares }) => {
    const share = shares.get(tokenId)
    return share === undefined || share.count === 0 ? [] : [{ gateway, share }]
  })
  const gateway = drawByWeight(having, random)
  return gateway === undefined ? undefined : { gateway, tokenId, isStaked }
}

function drawByWeight(
  having: readonly { readonly gateway: GatewayEnd; readonly share: Share }[],
  random: Random,
): GatewayEnd | undefined {
  const [first] = having
  const total = having.reduce((sum, { share }) => sum + share.weight, 0n)
  if (having.length <= 1 || total === 0n) return first?.gateway
  let rest = placeIn(total, random)
  return having.find(({ share }) => {
    rest -= share.weight
    return rest < 0n
  })?.gateway
}
