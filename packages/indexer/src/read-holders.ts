import type { Client } from '@hailstone/client'
import {
  type Address,
  apiError,
  encodeQuery,
  parseJson,
  richestAccountsEndpoint,
  type TokenId,
} from '@hailstone/protocol'
import { decodeWith } from '@hailstone/protocol/schema'

/**
 * Reads every balance of a token, twenty a page.
 *
 * Source: `GET /top_accounts`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `RESPONSE_INVALID`, and what the transport throws
 */
export async function readHolders(
  client: Client,
  { tokenId, signal }: { readonly tokenId: TokenId; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<Address, bigint>> {
  const holders = new Map<Address, bigint>()
  for (let page = 0; ; page++) {
    const { accounts, isLast } = await readHolderPage(client, { tokenId, page, signal })
    for (const [account, amount] of accounts) holders.set(account, amount)
    if (isLast) return holders
  }
}

/** Reads a page of the balances of a token. */
export async function readHolderPage(
  client: Client,
  of: { readonly tokenId: TokenId; readonly page: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly accounts: ReadonlyMap<Address, bigint>; readonly isLast: boolean }> {
  const { accounts, pageCount } = await readPage(client, of)
  return {
    accounts: new Map(accounts.map(({ account, amount }) => [account as string as Address, amount])),
    // The last page is found by its being empty, since the count of pages of public nodes can be one too small.
    isLast: accounts.length === 0 || of.page > pageCount,
  }
}

async function readPage(
  client: Client,
  {
    tokenId,
    page,
    signal,
  }: { readonly tokenId: TokenId; readonly page: number; readonly signal?: AbortSignal | undefined },
) {
  const { path, answer } = richestAccountsEndpoint
  const query = encodeQuery(richestAccountsEndpoint, { tokenId, page })
  const { timeoutMs } = client
  const { status, text } = await client.transport.request({ method: 'GET', path, query, timeoutMs, signal })
  if (status !== 200) throw apiError('HTTP_STATUS', { path, status, message: null })
  const decoded = decodeWith(answer, parseJson(text))
  if (!decoded.ok) throw apiError('RESPONSE_INVALID', { path, reason: decoded.problem.reason })
  return decoded.value
}
