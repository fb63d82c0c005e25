import { isUtf8 } from 'node:buffer'
import { type Client, createClient, createWallet } from '@hailstone/client'
import { isNodeError, type TokenId } from '@hailstone/protocol'
import { FEED_BYTES, FEED_MS } from '../incidents/read-incidents.ts'
import type { BrandProbe, FeedAnswer } from './brand-probe.ts'
import { hailGateway } from './hail-gateway.ts'
import { fetchOutward } from './outward.ts'

const PAGE_MS = 10_000
const CALL_MS = 8_000

export type CreateBrandProbeParameters = {
  readonly apiUrl: string
  /** Time without an error after which a gateway counts as accepting, in ms. @default 1500 */
  readonly settleMs?: number | undefined
}

/** Creates a probe that requests a brand's network. Close it when done. */
export function createBrandProbe(parameters: CreateBrandProbeParameters): BrandProbe & AsyncDisposable {
  const { apiUrl, settleMs } = parameters
  // The offline rules, which know target and environment, have judged plain http.
  const client = createClient({ apiUrl, allowInsecure: true, timeoutMs: CALL_MS, retry: { maxAttempts: 2 } })
  return {
    getNetworkInfo: () => client.getNetworkInfo(),
    getToken: (token) => client.getToken(token),
    getBalance: (account) => client.getBalance(account),
    getReferrerStake: () => client.getReferrerStake(),
    askFaucet: ({ tokenId }) => askFaucet(client, tokenId),
    hail: (gateway) => hailGateway({ ...gateway, settleMs }),
    readFeed,
    getStatus: pageStatus,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

async function askFaucet(client: Client, tokenId: TokenId): Promise<string | null> {
  try {
    const isSent = await client.requestTestCoins({ address: createWallet().address, tokenId })
    return isSent ? null : 'the faucet has none of it'
  } catch (error) {
    // A faucet that does not answer has not refused.
    if (isNodeError(error, 'REQUEST_TIMEOUT') || isNodeError(error, 'REQUEST_FAILED')) return null
    if (isNodeError(error)) return error.message
    throw error
  }
}

/** Starts to load a page and aborts, because some servers do not answer HEAD. */
async function pageStatus(url: string): Promise<number | null> {
  try {
    const response = await fetchOutward(url, { signal: AbortSignal.timeout(PAGE_MS), redirect: 'follow' })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    if (isLost(error)) return null
    throw error
  }
}

async function readFeed({
  url,
  origin,
}: {
  readonly url: string
  readonly origin: string
}): Promise<FeedAnswer> {
  try {
    const response = await fetchOutward(url, {
      headers: { origin },
      signal: AbortSignal.timeout(FEED_MS),
      redirect: 'manual',
    })
    return {
      status: response.status,
      isRedirected: response.status >= 300 && response.status < 400,
      allowedOrigin: response.headers.get('access-control-allow-origin'),
      text: await limitedText(response),
    }
  } catch (error) {
    if (isLost(error)) return { status: null, isRedirected: false, allowedOrigin: null, text: null }
    throw error
  }
}

/** Reads a body as the app does: UTF-8, with or without a mark at its beginning. Null if it is longer, or no UTF-8. */
async function limitedText({
  body,
}: {
  readonly body: AsyncIterable<Uint8Array> | null
}): Promise<string | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > FEED_BYTES) return null
    parts.push(part)
  }
  const whole = Buffer.concat(parts)
  return isUtf8(whole) ? new TextDecoder().decode(whole) : null
}

/** True for what fetch throws: TypeError for a dead host and DOMException for a timeout. */
const isLost = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException
