import { request } from 'node:http'
import type { Address, TokenId } from '@hailstone/protocol'
import type { OnlineMiner } from '../gateway/online-miner.ts'
import type { Relay } from './relay-line.ts'

/** Path at the relay port under which a leader lists its miners, for other processes alone. */
export const MINERS_PATH = '/miners'

/** Miners by token: an identifier of a token has as many digits as an address, and most mine the same one. */
type Listed = Readonly<Record<TokenId, readonly Address[]>>

export function formatMiners(miners: Iterable<OnlineMiner>): string {
  const listed: Record<TokenId, Address[]> = {}
  for (const { address, tokenId } of miners) {
    listed[tokenId] ??= []
    listed[tokenId].push(address)
  }
  return JSON.stringify(listed)
}

const parseMiners = (text: string): readonly OnlineMiner[] =>
  Object.entries(JSON.parse(text) as Listed).flatMap(([tokenId, addresses]) =>
    addresses.map((address) => ({ address, tokenId: tokenId as TokenId })),
  )

/** Time for an answer, and its largest size: three times that of as many miners as a gateway takes. */
const TIMEOUT_MS = 2000
const LARGEST_BYTES = 4 * 1024 * 1024

/** The list of a leader's miners with its version. */
type Answer = { readonly version: string; readonly miners: readonly OnlineMiner[] }

/**
 * Fetches the list of connected miners from the leader's relay port.
 *
 * @param known version of the list that is known
 * @returns null if that is still the newest one
 */
function askMiners({ host, port }: Relay, known: string | null): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const headers = known === null ? {} : { 'if-none-match': known }
    const asking = request({ host, port, path: MINERS_PATH, headers, agent: false, timeout: TIMEOUT_MS })
    asking.on('timeout', () => asking.destroy(new Error('the leader does not answer')))
    asking.on('error', reject)
    asking.on('response', (response) => {
      const { statusCode, headers: answered } = response
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > LARGEST_BYTES) asking.destroy(new Error('the list is too long'))
        chunks.push(chunk)
      })
      response.on('end', () => {
        if (statusCode === 304) resolve(null)
        else if (statusCode !== 200) reject(new Error(`the leader answered ${statusCode}`))
        else
          try {
            resolve({
              version: answered.etag ?? '',
              miners: parseMiners(Buffer.concat(chunks).toString()),
            })
          } catch (error) {
            reject(error as Error)
          }
      })
    })
    asking.end()
  })
}

export type MinersOfLeader = {
  /** Returns the miners as they were known last. */
  readonly list: () => readonly OnlineMiner[]
  /** Fetches the list again if it is older than a second. Never throws: after a failure the last list stays. */
  readonly refresh: (relay: Relay | null) => void
}

/** Age from which on the list is asked for again, in ms. */
const KEPT_MS = 1000

/** The list that a follower keeps of the leader's miners. The leader makes a list only when one is asked for and differs. */
export function createMinersOfLeader(elapsed: () => number): MinersOfLeader {
  let miners: readonly OnlineMiner[] = []
  let version: string | null = null
  let at = ''
  let askedAtMs = Number.NEGATIVE_INFINITY
  let isAsking = false
  return {
    list: () => miners,
    refresh(relay) {
      const place = relay === null ? '' : `${relay.host}:${relay.port}`
      if (place !== at) {
        at = place
        version = null
        askedAtMs = Number.NEGATIVE_INFINITY
        miners = []
      }
      if (relay === null || isAsking || elapsed() - askedAtMs < KEPT_MS) return
      isAsking = true
      askedAtMs = elapsed()
      void askMiners(relay, version)
        .then((answer) => {
          if (answer === null || place !== at) return
          miners = answer.miners
          version = answer.version
        })
        .catch(() => {})
        .finally(() => {
          isAsking = false
        })
    },
  }
}
