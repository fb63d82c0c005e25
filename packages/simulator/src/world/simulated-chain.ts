import {
  closeMacroblock,
  createLedgerState,
  type LedgerState,
  type MacroblockReport,
  type NumberedRecord,
  numberRecords,
  type RecordList,
  toLedgerMacroblock,
} from '@hailstone/ledger'
import {
  type Address,
  type Hash,
  type KeyBlock,
  type Microblock,
  merkleRoot,
  microblockHash,
  type Signature,
  sha256Hex,
  type TokenId,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { type ChainOrigin, plainOrigin } from './chain-origin.ts'

/** A calculated macroblock. Immutable. */
export type ClosedBlock = {
  readonly keyBlock: KeyBlock
  readonly microblocks: readonly Microblock[]
  readonly transactions: ReadonlyMap<Hash, Transaction>
  readonly report: MacroblockReport
  readonly records: readonly NumberedRecord[]
  /** Ledger after the macroblock. */
  readonly ledger: LedgerState
  readonly counts: ReadonlyMap<string, number>
}

/** The knowledge of a node at one moment. */
export type ChainView = {
  readonly origin: ChainOrigin
  readonly blocks: readonly ClosedBlock[]
  /** The open key block. */
  readonly open: KeyBlock
  readonly openMicroblocks: readonly Microblock[]
  readonly pool: ReadonlyMap<Hash, Transaction>
}

export type SimulatedChainParameters = {
  /** Milliseconds since the start. */
  readonly now: () => number
  /** @default that of one honest network */
  readonly origin?: ChainOrigin | undefined
  /** Number of newest macroblocks that a fork may replace; deeper ones are final. @default 2 */
  readonly deepestFork?: number | undefined
  /** Called with every calculated macroblock, including those that a fork replaces later. */
  readonly onClosed?: ((block: ClosedBlock) => void) | undefined
}

/** Unix time of the start of a run. */
export const EPOCH_SECONDS = 1_700_000_000
const NO_SIGNATURE = '00' as Signature
const TRANSACTIONS_PER_MICROBLOCK = 3

/**
 * A chain in memory: the ledger rules of the local network, with forks as in PROTOCOL 2.9. Passive: its owner decides
 * when something is mined, replaced or forgotten.
 */
export class SimulatedChain {
  readonly pool = new Map<Hash, Transaction>()
  #blocks: readonly ClosedBlock[] = []
  #open: KeyBlock
  #openMicroblocks: readonly Microblock[] = []
  #made = 0
  #highest = 0
  #forks = 0
  readonly #given: SimulatedChainParameters
  readonly origin: ChainOrigin

  constructor(given: SimulatedChainParameters) {
    this.#given = given
    this.origin = given.origin ?? plainOrigin
    this.#open = this.origin.genesis.origin
  }

  /** Height of the open key block. */
  get height(): number {
    return this.#blocks.length
  }

  get open(): KeyBlock {
    return this.#open
  }

  get blocks(): readonly ClosedBlock[] {
    return this.#blocks
  }

  /** Number of times that macroblocks were removed. */
  get forks(): number {
    return this.#forks
  }

  view(): ChainView {
    return {
      origin: this.origin,
      blocks: this.#blocks,
      open: this.#open,
      openMicroblocks: this.#openMicroblocks,
      pool: new Map(this.pool),
    }
  }

  ledger(): LedgerState {
    return this.#blocks.at(-1)?.ledger ?? this.origin.ledger
  }

  holds(hash: Hash): boolean {
    const isThere = ({ microblocks }: { readonly microblocks: readonly Microblock[] }) =>
      microblocks.some((one) => one.hash === hash)
    return isThere({ microblocks: this.#openMicroblocks }) || this.#blocks.some(isThere)
  }

  addMicroblock(microblock: Microblock): void {
    this.#openMicroblocks = [...this.#openMicroblocks, microblock]
    for (const transaction of microblock.transactions) this.pool.delete(transactionHash(transaction))
  }

  /** Adds a microblock of another miner. */
  publish(
    transactions: readonly Transaction[],
    publisher: Address = this.origin.genesis.accounts.fallbackMiner.address,
    referralAgent: Address | null = null,
    tokenId: TokenId = this.origin.genesis.parameters.ledger.nativeTokenId,
  ): void {
    const content = { keyBlockHash: this.#open.hash, nonce: this.#made++, publisher, transactions }
    const hash = microblockHash(content)
    this.addMicroblock({ ...content, hash, tokenId, referralAgent, signature: NO_SIGNATURE })
  }

  /** Moves pending transactions into microblocks, each with a probability, or all of them. */
  takeFromPool(isTaken: () => boolean = () => true): void {
    const waiting = [...this.pool.values()].filter(isTaken)
    for (let at = 0; at < waiting.length; at += TRANSACTIONS_PER_MICROBLOCK) {
      this.publish(waiting.slice(at, at + TRANSACTIONS_PER_MICROBLOCK))
    }
  }

  /** Closes the open macroblock and opens the next one. */
  close(): ClosedBlock {
    const keyBlock = this.#open
    const microblocks = this.#openMicroblocks
    const { ledger: parameters } = this.origin.genesis.parameters
    const closing = toLedgerMacroblock({ keyBlock, microblocks, statBlocks: [] })
    const { changes, report } = closeMacroblock(this.ledger(), closing, parameters)
    const ledger = createLedgerState({ balances: [], tokens: [] })
    ledger.replaceWith(this.ledger())
    ledger.applyChanges(changes)
    const counts = new Map(this.#blocks.at(-1)?.counts)
    const countOf = (account: string, list: RecordList): number => counts.get(`${account} ${list}`) ?? 0
    const records = numberRecords(report.records, countOf)
    for (const record of records) {
      counts.set(`${record.account} all`, record.number + 1)
      const kind = record.type === 'iin' || record.type === 'iout' ? 'transactions' : 'rewards'
      counts.set(`${record.account} ${kind}`, record.kindNumber + 1)
      counts.set(`${record.account} ${record.type}`, record.typeNumber + 1)
    }
    const transactions = new Map(
      microblocks.flatMap((one) => one.transactions).map((one) => [transactionHash(one), one]),
    )
    const block = { keyBlock, microblocks, transactions, report, records, ledger, counts }
    this.#blocks = [...this.#blocks, block]
    this.#highest = Math.max(this.#highest, this.height)
    this.#open = this.#next(keyBlock, microblocks)
    this.#openMicroblocks = []
    this.#given.onClosed?.(block)
    return block
  }

  /**
   * Removes the newest macroblocks. The lowest of them is open again under the same hash, because only the next key
   * block commits to its content. Their transactions return to the pool as `isKept` decides. Final macroblocks are
   * never replaced.
   *
   * @returns number of removed macroblocks
   */
  reorganise(depth: number, isKept: () => boolean): number {
    const lowest = Math.max(1, this.#highest - (this.#given.deepestFork ?? 2), this.height - depth)
    const dropped = this.#blocks.slice(lowest)
    const [first] = dropped
    if (first === undefined) return 0
    this.#forks++
    const microblocks = [...dropped.flatMap((block) => block.microblocks), ...this.#openMicroblocks]
    this.#blocks = this.#blocks.slice(0, lowest)
    this.#open = first.keyBlock
    this.#openMicroblocks = []
    for (const transaction of microblocks.flatMap((one) => one.transactions)) {
      const hash = transactionHash(transaction)
      if (!this.ledger().isCalculated(hash) && isKept()) this.pool.set(hash, transaction)
    }
    return dropped.length
  }

  #next(below: KeyBlock, microblocks: readonly Microblock[]): KeyBlock {
    const height = below.height + 1
    const hash = sha256Hex(`simulated key block ${height} ${this.#made++}`)
    const time = EPOCH_SECONDS + Math.floor(this.#given.now() / 1_000)
    const root = merkleRoot({ microblockHashes: microblocks.map((one) => one.hash), statBlockHashes: [] })
    return { ...below, hash, height, time, link: below.hash, merkleRoot: root }
  }
}
