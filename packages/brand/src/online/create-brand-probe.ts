import { createClient } from '@hailstone/client'
import type { BrandProbe } from './brand-probe.ts'
import { hailGateway } from './hail-gateway.ts'

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
    hail: (gateway) => hailGateway({ ...gateway, settleMs }),
    getStatus: pageStatus,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** Starts to load a page and aborts, because some servers do not answer HEAD. */
async function pageStatus(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PAGE_MS), redirect: 'follow' })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    // fetch throws TypeError for a dead host and DOMException for a timeout.
    if (error instanceof TypeError || error instanceof DOMException) return null
    throw error
  }
}
