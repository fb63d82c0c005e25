import type { Listener } from '@hailstone/fault-injection'
import { assertArgument, type Hash, parseAddress, parseTokenId } from '@hailstone/protocol'
import { assertKinds } from '../assert-kinds.ts'
import { createFallbackMiner } from '../chain/fallback-miner.ts'
import { createKeepAlive } from '../chain/keep-alive.ts'
import type { OpenMacroblock } from '../chain/open-macroblock.ts'
import type { Clock } from '../clock.ts'
import type { OpenNetwork } from '../open-network.ts'
import { systemRandomness } from '../system-randomness.ts'
import { createChainArchive } from './chain-archive.ts'
import { controlRefused } from './control-refused.ts'
import { type Funding, fundAccount } from './fund-account.ts'
import { createOutages, type Outage, type OutageOptions } from './outages.ts'
import { type ChainSnapshot, reorganiseChain, revertChain } from './rewind-chain.ts'

/** State of the chain. */
export type ControlState = {
  /** Of the open key block. */
  readonly height: number
  /** The open key block. */
  readonly keyBlockHash: Hash
  /** Time that blocks state, in Unix milliseconds. */
  readonly time: number
  /** True if no macroblock closes by itself. */
  readonly isPaused: boolean
  /** Number of rewinds of the chain. */
  readonly branch: number
  /** Number of transactions that wait in the pool. */
  readonly pendingTransactions: number
  /** Number of miners with a session. */
  readonly minersOnline: number
  /** Names of the snapshots that `revert` takes. */
  readonly snapshots: readonly string[]
}

/** Time, chain and money in the hands of a test or a demonstration. */
export type NetworkControl = {
  /**
   * Closes macroblocks now; if nobody mined, the fallback miner does. Answers the height of the open key block.
   *
   * @param count 1 … 100000. @default 1
   */
  readonly mine: (count?: number) => Promise<number>
  /** Puts the clock that blocks are dated with; waiting times are not measured with it. @param time Unix ms */
  readonly setClock: (time: number | Date) => void
  /** Puts that clock forward, or back when negative. */
  readonly advanceClock: (byMs: number) => void
  /** No macroblock closes by itself any more, `mine` still does. Resolves once none is being closed. */
  readonly pause: () => Promise<void>
  /** Lets macroblocks close by themselves again. */
  readonly resume: () => void
  /**
   * Pays an account with an ordinary transaction, mined at once.
   *
   * @param amount units that arrive. @param tokenId by default the native token
   * @throws {NodeError} `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`, `TOKEN_UNKNOWN`, `AMOUNT_OUT_OF_RANGE`,
   *   `CONTROL_REFUSED`
   */
  readonly fund: (address: string, amount: bigint, tokenId?: string) => Promise<Funding>
  /**
   * Takes the newest macroblocks off the chain: heights go back, the next blocks are others. Answers the height
   * of the open key block.
   *
   * @throws {NodeError} `CONTROL_REFUSED` when there are not so many
   */
  readonly reorganise: (
    blocks: number,
    options?: {
      /** True if the transactions of those macroblocks return to the pool. @default true */
      readonly keepTransactions?: boolean | undefined
    },
  ) => Promise<number>
  /** Remembers chain and pool, as long as the process lives; the clock is not part of it. */
  readonly snapshot: () => string
  /**
   * Returns to a snapshot, also from another branch; it can be returned to again. Answers the height of the open
   * key block.
   *
   * @throws {NodeError} `CONTROL_REFUSED` for an unknown snapshot
   */
  readonly revert: (snapshot: string) => Promise<number>
  /** Empties the pool of waiting transactions; answers how many there were. */
  readonly forgetPool: () => number
  /**
   * Refuses connections to the gateway or to the HTTP interface for a while. Resolves once everybody is cut off.
   *
   * @throws {NodeError} `CONTROL_REFUSED` during another outage of the same part
   */
  readonly outage: (options: OutageOptions) => Promise<Outage>
  /** Returns height, time, pool and miners as they are now. */
  readonly state: () => Promise<ControlState>
  /**
   * Copies the chain into bytes that the option `load` of `startLocalNetwork` takes, and `hailstone-network --load` as
   * a file. Waiting transactions are not in it.
   *
   * @throws {NodeError} `CONTROL_REFUSED` for a chain on a server
   */
  readonly dump: () => Promise<Uint8Array>
}

const MAX_BLOCKS = 100_000

/** Transactions that a macroblock gets when nobody but `mine` wants it. */
const MAX_TRANSACTIONS = 3

function checkedTime(time: number): number {
  if (!(Number.isFinite(time) && time >= 0 && time <= 8.64e15))
    throw controlRefused(`${time} is no time in Unix milliseconds`)
  return time
}

/** Mines what `mine` needs to close a macroblock, whatever of the network's own miners is switched off. */
function createForcedMining({ genesis, mempool, signed }: OpenNetwork, clock: Clock) {
  const nativeToken = genesis.tokens.native
  const fallbackMiner = createFallbackMiner({
    account: genesis.accounts.fallbackMiner,
    nativeTokenId: nativeToken.id,
    signed,
  })
  const keepAlive = createKeepAlive({
    accounts: genesis.accounts.keepAlive,
    nativeToken,
    mempool,
    signed,
    random: systemRandomness,
  })
  const force = (open: OpenMacroblock) => {
    if (open.isMinedIn(nativeToken.id)) return null
    const mine = () => {
      keepAlive.topUp(1, open.holds)
      return fallbackMiner.mine({ open, mempool, limit: MAX_TRANSACTIONS, nowMs: clock.now() })
    }
    // What waited may turn out to be signed by nobody; it is set aside then, and a payment of our own waits.
    return mine() ?? mine()
  }
  return { fallbackMiner, force }
}

export function createControl(
  network: OpenNetwork,
  parameters: {
    /** The one that delays are measured with. */
    readonly clock: Clock
    readonly apiListener: () => Pick<Listener, 'shut' | 'reopen'> | undefined
  },
): NetworkControl {
  const { clock, apiListener } = parameters
  const { producer, store, mempool, gateway, calendar, genesis } = network
  const snapshots = new Map<string, ChainSnapshot>()
  const archive = createChainArchive(() => snapshots.size > 0)
  const { fallbackMiner, force } = createForcedMining(network, clock)
  const rewind = { ...network, archive }
  const funding = {
    ...network,
    accounts: genesis.accounts,
    nativeTokenId: genesis.tokens.native.id,
    fallbackMiner,
  }
  const mustLead = (): void => {
    if (!['alone', 'leader'].includes(network.cluster.role()))
      throw controlRefused('another process leads, which has to be asked')
  }
  const height = (): number => producer.openKeyBlock().height
  return {
    async mine(count = 1) {
      mustLead()
      if (!Number.isSafeInteger(count) || count < 1 || count > MAX_BLOCKS)
        throw controlRefused(`${count} macroblocks cannot be mined; 1 to ${MAX_BLOCKS} can`)
      for (let mined = 0; mined < count; mined++) await producer.closeNow({ add: force })
      return height()
    },
    setClock: (time) => {
      const isTime = typeof time === 'number' || time instanceof Date
      assertArgument(isTime, 'time', 'a number of Unix milliseconds, or a Date', time)
      calendar.set(checkedTime(Number(time)) - clock.now())
    },
    advanceClock: (byMs) => {
      assertArgument(typeof byMs === 'number', 'byMs', 'a number of milliseconds', byMs)
      checkedTime(calendar.now() + byMs)
      calendar.set(calendar.offsetMs() + byMs)
    },
    pause: producer.stop,
    resume: producer.start,
    async fund(address, amount, tokenId = funding.nativeTokenId) {
      mustLead()
      parseAddress(address)
      const aBigint = "a bigint of units, such as 25n or parseAmount('25', token)"
      assertArgument(typeof amount === 'bigint', 'amount', aBigint, amount)
      return fundAccount(funding, { address, amount, tokenId: parseTokenId(tokenId) })
    },
    async reorganise(blocks, options = {}) {
      mustLead()
      assertKinds('of reorganise', options, { keepTransactions: 'boolean' })
      const { keepTransactions = true } = options
      await reorganiseChain(rewind, { blocks, keepTransactions })
      return height()
    },
    snapshot() {
      const id = `snapshot-${snapshots.size + 1}`
      snapshots.set(id, { keyBlock: producer.openKeyBlock(), pending: mempool.entries() })
      return id
    },
    async revert(id) {
      mustLead()
      const snapshot = snapshots.get(id)
      if (snapshot === undefined) throw controlRefused(`there is no snapshot "${id}"`)
      await revertChain(rewind, snapshot)
      return height()
    },
    forgetPool() {
      const hashes = mempool.entries().map(({ hash }) => hash)
      mempool.remove(hashes)
      return hashes.length
    },
    outage: createOutages({ gateway, apiListener, later: network.faults.later }),
    async dump() {
      if (store.dump === null)
        throw controlRefused('a chain on a server is dumped with the tools of the server')
      const isRunning = producer.isRunning()
      await producer.stop()
      try {
        return await store.dump()
      } finally {
        if (isRunning) producer.start()
      }
    },
    state: async () => ({
      height: height(),
      keyBlockHash: producer.openKeyBlock().hash,
      time: calendar.now(),
      isPaused: !producer.isRunning(),
      branch: await store.branch(),
      pendingTransactions: mempool.size,
      minersOnline: network.minersOnline().length,
      snapshots: [...snapshots.keys()],
    }),
  }
}
