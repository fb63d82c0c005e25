import { type Address, type Amount, sha256Hex } from '@hailstone/protocol'
import { payment } from '../test/payments.ts'
import { type QuickNetwork, quickNetwork } from '../test/quick-network.ts'

export type Order =
  | {
      readonly kind: 'start'
      /** In memory without one. */
      readonly database: string | null
      /** Accounts with which a new chain begins; empty for one that has begun. */
      readonly funded: readonly Address[]
    }
  /** Signs so many payments. */
  | { readonly kind: 'sign'; readonly count: number }
  /** Puts so many of them into the pool, as if they had been posted here. */
  | { readonly kind: 'post'; readonly count: number }
  | { readonly kind: 'close' }
  | { readonly kind: 'report' }

/** CPU and memory that a process has used, and the miners, microblocks and mined transactions it has now. */
export type ProcessReport = {
  readonly url: string
  /** Microseconds of CPU. */
  readonly cpuUs: number
  /** Resident memory in MB. */
  readonly residentMb: number
  readonly minersOnline: number
  readonly microblocks: number
  /** In these microblocks, each once. */
  readonly transactions: number
}

const COIN = 10n ** 10n
let network: QuickNetwork | undefined

async function start({ database, funded }: Extract<Order, { kind: 'start' }>): Promise<void> {
  const amount = (100n * COIN) as Amount
  const tokenId = '0'.repeat(64) as never
  const balances = funded.map((account) => ({ account, tokenId, amount }))
  network = await quickNetwork({
    database: database ?? undefined,
    keepAlive: false,
    gateway: {
      feederIntervalMs: 100,
      beaconIntervalMs: 100,
      pendingTimeoutMs: 60_000,
      maxMicroblocks: 100_000,
      maxTransactions: 1_000_000,
      framesPerSecond: 1_000_000,
      maxMiners: 60_000,
    },
    pool: { maxTransactions: 1_000_000, maxPerSender: 1_000_000, maxUncoveredPerSender: 1_000_000 },
    recorded: funded.length === 0 ? undefined : { tokens: [], balances },
  })
}

const signed: ReturnType<typeof payment>[] = []

/** Signing them all at once would take longer than a lease lasts. */
async function sign(count: number): Promise<void> {
  const { genesis } = network ?? {}
  const [from, to] = genesis?.accounts.developers ?? []
  if (genesis === undefined || from === undefined || to === undefined) return
  for (let made = 0; made < count; made++) {
    signed.push(payment(genesis, { from, to: to.address, amount: COIN }))
    if (made % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

function post(count: number): void {
  for (const { transaction, hash } of signed.splice(0, count)) {
    network?.mempool.add(transaction, hash)
    network?.signed.note(transaction)
  }
}

const report = (): ProcessReport => ({
  url: network?.url ?? '',
  cpuUs: Object.values(process.cpuUsage()).reduce((sum, us) => sum + us, 0),
  residentMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  minersOnline: network?.minersOnline().length ?? 0,
  microblocks: network?.producer.openMacroblock()?.microblocks.length ?? 0,
  transactions: network?.producer.openMacroblock()?.transactionCount ?? 0,
})

/** Funded addresses, of which nobody has the key: a hail need not be signed. */
export const silentMiner = (number: number): Address => `02${sha256Hex(`silent miner ${number}`)}` as Address

if (process.send !== undefined)
  process.on('message', (order: Order) => {
    void (async () => {
      if (order.kind === 'start') await start(order)
      else if (order.kind === 'sign') await sign(order.count)
      else if (order.kind === 'post') post(order.count)
      else if (order.kind === 'close') await network?.producer.closeNow()
      process.send?.(report())
    })()
  })
