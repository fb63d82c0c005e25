import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Network, networks, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { watchBalance } from '@hailstone/mining-node'
import { type Address, addressOf, parsePrivateKey, sha256Hex, toAmount } from '@hailstone/protocol'
import { type Goal, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import type { Suite } from '../suite.ts'

/** Long enough that the polls, which come at least every two seconds, can follow the chain. */
const BLOCK_TIME_MS = 6_000
const ACCOUNTS = 40
/** Each account is paid once in so many blocks, a different quarter of them in each. */
const BLOCKS_BETWEEN = 4
const BLOCKS = 16
/** The public app asks every 10 s where a block takes 15 s. */
const APP_POLL_MS = (BLOCK_TIME_MS * 10) / 15

const accounts: readonly Address[] = Array.from({ length: ACCOUNTS }, (_, at) =>
  addressOf(parsePrivateKey(sha256Hex(`watched account ${at}`))),
)

/** Requests of the payer, whose client begins anew with each round. */
const OF_PAYMENTS = /\/(native_token|token_info|macroblock_by_height\?height=0)\b/

type Watched = { readonly requests: number; readonly changes: number; readonly delaysMs: readonly number[] }

/** Times of the payments to each account, in order. */
type Payments = ReadonlyMap<Address, readonly number[]>

const nextMacroblock = (network: LocalNetwork): Promise<unknown> =>
  new Promise((resolve) => {
    const leave = network.on('macroblockClosed', (given) => {
      leave()
      resolve(given)
    })
  })

/** Pays accounts, and returns when the next macroblock is closed. */
async function pay(network: LocalNetwork, paid: readonly Address[]): Promise<void> {
  const developer = network.accounts.developers[0]
  if (developer === undefined) throw new Error('the network has no development account')
  const wallet = walletFromPrivateKey(developer.privateKey)
  await using client = createClient({ network: ofLocal(network) })
  for (const to of paid) await client.sendTransaction({ wallet, to, amount: toAmount(10_000_000_000n) })
  await nextMacroblock(network)
}

async function payInTurns(network: LocalNetwork, paidAt: Map<Address, number[]>): Promise<void> {
  for (let block = 0; block < BLOCKS; block++) {
    await pay(
      network,
      accounts.filter((_, at) => at % BLOCKS_BETWEEN === block % BLOCKS_BETWEEN),
    )
    const now = performance.now()
    for (const [at, to] of accounts.entries()) {
      if (at % BLOCKS_BETWEEN === block % BLOCKS_BETWEEN) paidAt.set(to, [...(paidAt.get(to) ?? []), now])
    }
  }
  await sleep(3 * BLOCK_TIME_MS)
}

const ofLocal = (network: LocalNetwork): Network => ({
  ...networks.pulse,
  apiUrl: network.apiUrl,
  gatewayUrl: network.gatewayUrl,
  originHash: undefined,
})

/** Counts what leaves this process by undici, except what a payment asks and posts. */
async function countingGets<T>(
  work: () => Promise<T>,
): Promise<{ readonly requests: number; readonly result: T }> {
  let requests = 0
  const count = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly method: string; readonly path: string } }
    if (request.method === 'GET' && !OF_PAYMENTS.test(request.path)) requests++
  }
  subscribe('undici:request:create', count)
  try {
    const result = await work()
    return { requests, result }
  } finally {
    unsubscribe('undici:request:create', count)
  }
}

type Follow = (
  network: LocalNetwork,
  onChange: (address: Address) => void,
) => {
  /** Resolves when each account was read once: what it has then is no change. */
  readonly begun: Promise<unknown>
  readonly stop: () => Promise<void>
}

const byWatching: Follow = (network, onChange) => {
  const client = createClient({ network: ofLocal(network) })
  const watches = accounts.map((address) => {
    let firstRead: () => void = () => {}
    const begun = new Promise<void>((resolve) => {
      firstRead = resolve
    })
    const watch = watchBalance({
      client,
      address,
      blockTimeMs: BLOCK_TIME_MS,
      onChange: ({ previous }) => {
        if (previous === null) firstRead()
        else onChange(address)
      },
    })
    return { watch, begun }
  })
  return {
    begun: Promise.all(watches.map(({ begun }) => begun)),
    stop: async () => {
      for (const { watch } of watches) await watch.stop()
      await client.close()
    },
  }
}

/** Follows like the public app: each account by itself, by a timer. */
const byClock: Follow = (network, onChange) => {
  const client = createClient({ network: ofLocal(network) })
  const leaving = new AbortController()
  setMaxListeners(ACCOUNTS, leaving.signal)
  const first = accounts.map((address) => client.getBalance({ address }))
  const follow = async (address: Address, at: number): Promise<void> => {
    let last = (await first[at])?.amount
    for await (const _ of every(APP_POLL_MS, undefined, { signal: leaving.signal })) {
      const { amount } = await client.getBalance({ address })
      if (amount !== last) onChange(address)
      last = amount
    }
  }
  const all = Promise.allSettled(accounts.map(follow))
  return {
    begun: Promise.all(first),
    stop: async () => {
      leaving.abort()
      await all
      await client.close()
    },
  }
}

async function watched(follow: Follow): Promise<Watched> {
  await using network = await startLocalNetwork({ seed: 'benchmark', blockTimeMs: BLOCK_TIME_MS })
  const seenAt = new Map<Address, number[]>()
  const paidAt = new Map<Address, number[]>()
  // An account that the network does not know yet is asked about sixteen times before it counts as empty.
  await pay(network, accounts)
  await nextMacroblock(network)
  const { requests } = await countingGets(async () => {
    const { begun, stop } = follow(network, (address) => {
      seenAt.set(address, [...(seenAt.get(address) ?? []), performance.now()])
    })
    await begun
    await payInTurns(network, paidAt)
    await stop()
  })
  return { requests, ...comparison(paidAt, seenAt) }
}

function comparison(paidAt: Payments, seenAt: Payments): Pick<Watched, 'changes' | 'delaysMs'> {
  const delaysMs: number[] = []
  for (const [address, paid] of paidAt) {
    const seen = seenAt.get(address) ?? []
    if (seen.length !== paid.length) throw new Error(`${seen.length} changes of ${paid.length} were seen`)
    for (const [at, when] of paid.entries()) delaysMs.push((seen[at] ?? 0) - when)
  }
  return { changes: delaysMs.length, delaysMs }
}

const goals: readonly Goal[] = [
  { what: 'at most 2 requests for a change', over: 'Hailstone', under: '1 request', atMost: 2 },
  {
    what: "at most a third of the app's",
    over: 'Hailstone',
    under: 'by the clock, as the app',
    atMost: 1 / 3,
  },
]

export const watching: Suite = {
  name: 'watch',
  what: 'P-12: requests for each change of a balance',
  run: async ({ settings, tell }) => {
    let wasQuiet = await quietMachine(settings)
    const pressures = [cpuPressure()]
    const scores: Score[] = [{ name: '1 request', samples: [1] }]
    for (const [name, follow] of [
      ['Hailstone', byWatching],
      ['by the clock, as the app', byClock],
    ] as const) {
      const { requests, changes, delaysMs } = await watched(follow)
      const blocks = [...delaysMs].map((ms) => ms / BLOCK_TIME_MS).sort((one, other) => one - other)
      const late = blocks[Math.floor(blocks.length * 0.95)] ?? 0
      scores.push({
        name,
        samples: [requests / changes],
        note: `seen within ${late.toFixed(1)} blocks (p95)`,
      })
      pressures.push(cpuPressure())
      wasQuiet &&= pressures.slice(-2).every(isQuiet)
      tell(`P-12 ${name}: ${requests} requests, ${changes} changes`)
    }
    const notes = [
      `${ACCOUNTS} accounts, each paid every ${BLOCKS_BETWEEN} blocks of ${BLOCK_TIME_MS} ms, ${BLOCKS} blocks`,
    ]
    return [
      outcomeOf({
        id: 'P-12',
        title: 'Requests for a change',
        unit: 'requests',
        isMoreBetter: false,
        scores,
        goals,
        pressures,
        wasQuiet,
        notes,
      }),
    ]
  },
}
