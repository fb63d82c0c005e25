// Honest users in a process of their own: one miner, somebody who reads the API, and on request one who pays.
import { Agent, get } from 'node:http'
import { walletFromPrivateKey } from '@hailstone/client'
import { createMiningNode } from '@hailstone/mining-node'
import { answerParent } from '../child.ts'
import { payHonestly } from '../pool/honest-payer.ts'
import type { FloodCounts } from './flood-target.ts'
import type { NetworkAccess } from './network-process.ts'

/** Results of honest users over a span of time. */
export type HonestFigures = {
  readonly publications: number
  readonly requests: number
  /** Requests without a 200 within the deadline. In the percentiles they count as the whole deadline. */
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const REQUEST_EVERY_MS = 40
const DEADLINE_MS = 10_000
const paths = ['/height', '/network_info', '/lastblocks', '/stats', '/token_info?hash='] as const

type Sample = { readonly atMs: number; tookMs: number; isOk: boolean }
const samples: Sample[] = []
const publications: number[] = []
let apiUrl = ''
let nativeTokenId = ''
let asked = 0
let access: NetworkAccess | undefined
const paying = new AbortController()
let payments: Promise<FloodCounts> = Promise.resolve({})

// Every second request opens a connection of its own, as a page that was just loaded would.
const kept = new Agent({ keepAlive: true, maxSockets: 64 })
const fresh = new Agent({ keepAlive: false })

function ask(): void {
  const path = paths[asked % paths.length] ?? paths[0]
  const agent = asked++ % 2 === 0 ? kept : fresh
  const sample: Sample = { atMs: Date.now(), tookMs: DEADLINE_MS, isOk: false }
  samples.push(sample)
  const beganAt = performance.now()
  const url = apiUrl + path + (path.endsWith('=') ? nativeTokenId : '')
  const request = get(url, { agent }, (response) => {
    response.resume()
    response.once('end', () => {
      if (response.statusCode !== 200) return
      sample.isOk = true
      sample.tookMs = performance.now() - beganAt
    })
  })
  const timer = setTimeout(() => request.destroy(), DEADLINE_MS)
  request.once('close', () => clearTimeout(timer))
  request.once('error', () => {})
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

answerParent({
  async start(network: NetworkAccess): Promise<void> {
    access = network
    apiUrl = network.apiUrl
    nativeTokenId = network.nativeTokenId
    const [account] = network.accounts
    if (account === undefined) throw new Error('the network has no accounts')
    const { gatewayUrl } = network
    const wallet = walletFromPrivateKey(account.privateKey)
    const node = createMiningNode({ wallet, apiUrl, gatewayUrl, blockTimeMs: 500 })
    node.on('published', () => publications.push(Date.now()))
    await node.start()
    setInterval(ask, REQUEST_EVERY_MS)
  },
  /** One payment after the other until `stopPaying`, which waits for the last ones. */
  startPaying(): void {
    if (access !== undefined) payments = payHonestly({ ...access, signal: paying.signal })
  },
  stopPaying(): Promise<FloodCounts> {
    paying.abort()
    return payments
  },
  /** Requests that began in the span are waited for elsewhere: ask later than the deadline. */
  between({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }): HonestFigures {
    const meant = samples.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
    const sorted = meant.map(({ tookMs }) => tookMs).sort((one, other) => one - other)
    return {
      publications: publications.filter((atMs) => atMs >= fromMs && atMs < untilMs).length,
      requests: meant.length,
      failures: meant.filter(({ isOk }) => !isOk).length,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  },
})
