import type { Address, TokenId } from '@hailstone/mining-node'
import type { RemoteClient } from '../host/mining-host.ts'
import { PAUSE_MS, repeatedNo } from './repeated-no.ts'

/**
 * Result of a check of an agent: `fine`; without a token or below the stake that agents need; or `unchecked` where the network did
 * not answer. Amounts in units of the token.
 */
export type AgentVerdict =
  | { readonly kind: 'fine' | 'withoutToken' | 'unchecked' }
  | {
      readonly kind: 'belowStake'
      readonly have: bigint
      readonly need: bigint
      readonly decimals: number
      readonly symbol: string
    }

type Client = Pick<RemoteClient, 'getBalance' | 'getToken' | 'getNativeTokenId' | 'getReferrerStake'>
type Asked = { readonly agent: Address; readonly tokenId: TokenId }

async function judgeOnce(client: Client, { agent, tokenId }: Asked): Promise<AgentVerdict> {
  const [balance, token, native] = await Promise.all([
    client.getBalance({ address: agent, tokenId }),
    client.getToken({ tokenId }),
    client.getNativeTokenId({}),
  ])
  if (token === undefined) return { kind: 'unchecked' }
  const need = token.id === native ? await client.getReferrerStake({}) : token.referrerStake
  if (!balance.isKnown) return { kind: 'withoutToken' }
  const { amount: have } = balance
  if (need === undefined || need === null || have >= need) return { kind: 'fine' }
  return { kind: 'belowStake', have, need, decimals: token.decimals, symbol: token.symbol }
}

/** Returns whether an agent meets the conditions; `unchecked` if the network does not say. */
export const judgeAgent = (client: Client, asked: Asked, pauseMs = PAUSE_MS): Promise<AgentVerdict> =>
  repeatedNo(
    () => judgeOnce(client, asked),
    ({ kind }) => kind !== 'fine',
    pauseMs,
  ).catch(() => ({ kind: 'unchecked' }))
