import {
  type AgentInfo,
  type Amount,
  agentInfoEndpoint,
  type BalanceAnswer,
  balanceAllEndpoint,
  balanceAllUnfilteredEndpoint,
  balanceEndpoint,
  balanceMineableEndpoint,
  balanceReissuableEndpoint,
  defineEndpoint,
  type Holding,
  isAddress,
  type PlainHolding,
} from '@hailstone/protocol'
import type { ChainStore, HeldToken } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { blocksOfOneDay } from '../one-day.ts'
import { type Route, route } from '../route.ts'

/** Decimals that the network states for unknown tokens (PROTOCOL 3.5.6). */
const PLACEHOLDER_DECIMALS = 10

async function heldToken(
  store: ChainStore,
  account: string,
  tokenId: string,
): Promise<HeldToken | undefined> {
  const amount = await store.balance(account, tokenId)
  const token = amount === undefined ? undefined : await store.token(tokenId)
  return amount === undefined || token === undefined ? undefined : { amount, token }
}

async function balance(
  { store, network }: ApiParts,
  query: { readonly address?: string; readonly tokenId?: string },
): Promise<BalanceAnswer> {
  const account = query.address ?? ''
  const held = await heldToken(store, account, query.tokenId || network.ledger.nativeTokenId)
  const stake = await store.accountStake(account)
  return {
    amount: (held?.amount ?? 0n) as Amount,
    tokenId: held?.token.id,
    symbol: held?.token.symbol,
    decimals: held?.token.decimals ?? PLACEHOLDER_DECIMALS,
    delegated: stake.delegated as Amount,
    stakingReward: stake.stakingReward as Amount,
    inTransit: stake.inTransit as Amount,
    undelegated: stake.undelegated as Amount,
  }
}

const plainHolding = ({ amount, token }: HeldToken): PlainHolding => ({
  amount: amount as Amount,
  tokenId: token.id,
  symbol: token.symbol,
  decimals: token.decimals,
})

const holding = (held: HeldToken): Holding => ({
  ...plainHolding(held),
  isMineable: held.token.mining !== null,
  isReissuable: held.token.isReissuable,
})

/** A wrongly spelt path that a public mobile library asks for; the public server has no such route. */
const misspeltMineableEndpoint = defineEndpoint({
  path: '/balance_minable',
  parameters: balanceMineableEndpoint.parameters,
  answer: balanceMineableEndpoint.answer,
})

/** Figures of one day, computed now; nothing for an account that nobody named and that earned nothing. */
async function agentInfo(parts: ApiParts, account: string | undefined): Promise<AgentInfo | undefined> {
  const id = account?.toLowerCase()
  if (!isAddress(id)) return undefined
  const { height } = await parts.store.tail()
  const figures = await parts.store.agentFigures(id, height - blocksOfOneDay(parts.blockTimeMs))
  const { referralCount, referralReward, keyBlockReward, statBlockReward } = figures
  if (referralCount === 0 && keyBlockReward === null && statBlockReward === null) return undefined
  return {
    id,
    referralCount,
    referralReward: referralReward as Amount | null,
    keyBlockReward: keyBlockReward as Amount | null,
    statBlockReward: statBlockReward as Amount | null,
    calculatedAt: Math.floor(parts.clock.now() / 1000),
  }
}

export function accountRoutes(parts: ApiParts): readonly Route[] {
  const holdings = (address: string | undefined): Promise<readonly HeldToken[]> =>
    parts.store.holdings(address ?? '')
  const mineable = async ({ address }: { readonly address?: string }): Promise<readonly PlainHolding[]> =>
    (await holdings(address)).filter(({ token }) => token.mining !== null).map(plainHolding)
  return [
    route(balanceEndpoint, (query) => balance(parts, query), {
      // Coins in transit arrive by themselves.
      lasting: ({ address: account = '' }, { inTransit }) => (inTransit === 0n ? { account } : 'until next'),
    }),
    // The public server filters by its operator's list; a local network has none (PROTOCOL appendix A).
    route(balanceAllEndpoint, async ({ address }) => (await holdings(address)).map(holding)),
    route(balanceAllUnfilteredEndpoint, async ({ address }) => (await holdings(address)).map(holding)),
    route(balanceMineableEndpoint, mineable),
    route(misspeltMineableEndpoint, mineable),
    route(balanceReissuableEndpoint, async ({ address }) =>
      (await holdings(address)).filter(({ token }) => token.isReissuable).map(plainHolding),
    ),
    route(agentInfoEndpoint, ({ address }) => agentInfo(parts, address), { hasTypeWhenEmpty: true }),
  ]
}
