import type { Balance, RecordedState } from '@hailstone/ledger'
import {
  apiError,
  balanceAllUnfilteredEndpoint,
  nativeTokenEndpoint,
  parseAddress,
  type Token,
  type TokenAnswer,
  type TokenId,
  tokenEndpoint,
} from '@hailstone/protocol'
import { askNetwork } from './command/token/ask-network.ts'

/** Accounts of another network whose balances and tokens are copied. The keys stay where they are. */
export type ForkOptions = {
  /** Base of the API, such as `https://pulse.example/api/v1`. */
  readonly apiUrl: string
  /** Addresses whose balances are copied: 02 or 03 and 64 hex digits each. */
  readonly accounts: readonly string[]
}

/** State of a network that was read once, and its native token. */
type ReadState = RecordedState & { readonly nativeTokenId: TokenId }

/** Returns a token without the figures that only an API adds. */
function tokenOf(answer: TokenAnswer): Token {
  const { id, owner, feeType, feeValue, feeMinimum, symbol, decimals, totalSupply, caption } = answer
  const { maxSupply, blockReward, minimumStake, referrerStake, referralShareBps } = answer
  const isMined = [maxSupply, blockReward, minimumStake, referrerStake, referralShareBps].every(
    (value) => value !== null,
  )
  const mining = { maxSupply, blockReward, minimumStake, referrerStake, referralShareBps } as Token['mining']
  return {
    ...{
      id,
      owner,
      feeType,
      feeValue,
      feeMinimum: feeMinimum ?? feeValue,
      symbol,
      decimals,
      totalSupply,
      caption,
    },
    isReissuable: answer.isReissuable,
    mining: answer.isMineable && isMined ? mining : null,
  }
}

/**
 * Reads balances of accounts, and the tokens they hold, from the API of another network. Nothing is written there.
 *
 * @throws {NodeError} `ADDRESS_MALFORMED`, `TOKEN_UNKNOWN`, `REQUEST_FAILED`, `HTTP_STATUS`, `RESPONSE_INVALID`
 */
export async function readRecordedState({ apiUrl, accounts }: ForkOptions): Promise<ReadState> {
  const url = apiUrl.replace(/\/+$/, '')
  const addresses = [...new Set(accounts.map((text) => parseAddress(text)))]
  const native = await askNetwork(url, nativeTokenEndpoint, {})
  if (native === undefined)
    throw apiError('RESPONSE_INVALID', { path: '/native_token', reason: 'it is empty' })
  const balances: Balance[] = []
  for (const address of addresses)
    for (const { tokenId, amount } of (await askNetwork(url, balanceAllUnfilteredEndpoint, { address })) ??
      [])
      balances.push({ account: address, tokenId, amount })
  const tokens: Token[] = []
  for (const tokenId of new Set(balances.map((one) => one.tokenId))) {
    if (tokenId === native.id) continue
    const [found] = (await askNetwork(url, tokenEndpoint, { tokenId })) ?? []
    if (found === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
    tokens.push(tokenOf(found))
  }
  return { tokens, balances, nativeTokenId: native.id }
}
