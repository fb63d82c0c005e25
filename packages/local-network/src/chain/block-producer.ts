import type { Address, Hash, KeyBlock, Microblock } from '@hailstone/protocol'
import type { Clock } from '../clock.ts'
import type { NetworkParameters } from '../genesis.ts'
import { type ClosedMacroblock, closeMacroblock } from '../ledger/close-macroblock.ts'
import { toLedgerMacroblock } from '../ledger/ledger-macroblock.ts'
import type { LedgerState } from '../ledger/ledger-state.ts'
import { type Logger, reasonOf } from '../logger.ts'
import { createEvents, type Listen } from './events.ts'
import type { HouseMiner } from './house-miner.ts'
import type { KeepAlive } from './keep-alive.ts'
import type { Mempool } from './mempool.ts'
import { type OpenMacroblock, openMacroblock } from './open-macroblock.ts'
import { type SealedMacroblock, sealMacroblock } from './seal-macroblock.ts'

/** A macroblock that is calculated and final, with the key block that closed it. */
export type CalculatedMacroblock = SealedMacroblock & { readonly closed: ClosedMacroblock }

/** What the producer needs of the store. */
export type MacroblockStore = {
  /** All rows of it in one transaction, or none. */
  readonly appendMacroblock: (calculated: CalculatedMacroblock) => Promise<void>
  readonly tail: () => Promise<KeyBlock>
}

export type ProducerEvents = {
  readonly macroblockClosed: CalculatedMacroblock
  readonly microblockAccepted: Microblock
}

export type BlockProducerParameters = {
  readonly store: MacroblockStore
  readonly ledger: LedgerState
  /** The key block that is open. */
  readonly tail: KeyBlock
  readonly mempool: Mempool
  readonly network: NetworkParameters
  /** Paid for the key blocks, in place of proof of work. */
  readonly keyBlockPublisher: Address
  readonly clock: Clock
  readonly logger: Logger
  readonly blockTimeMs: number
  readonly maxMicroblocks: number
  readonly maxTransactionsPerMicroblock: number
  /** Whether a macroblock closes without a native microblock. */
  readonly emptyMacroblocks: boolean
  readonly houseMiner: HouseMiner | null
  readonly keepAlive: KeepAlive | null
}

/** `late`: of a macroblock that is closed already; stored by nobody, punished by nobody (PROTOCOL 5.8). */
export type AddedMicroblock = 'added' | 'already stored' | 'late'

export type BlockProducer = {
  readonly openKeyBlock: () => KeyBlock
  /** Null while the macroblock is being closed. */
  readonly openMacroblock: () => OpenMacroblock | null
  readonly hasMicroblock: (hash: string) => boolean
  readonly addMicroblock: (microblock: Microblock) => AddedMicroblock
  /** Closes the open macroblock without waiting for the clock; null when it has no microblock to close with. */
  readonly closeNow: () => Promise<CalculatedMacroblock | null>
  readonly start: () => void
  /** Waits for a macroblock that is being stored. */
  readonly stop: () => Promise<void>
  readonly on: Listen<ProducerEvents>
}

/** How long a macroblock that could not be closed waits for its next try, at most. */
const LONGEST_RETRY_MS = 1000
/** Left to other miners before the house takes a transaction, at most. */
const LONGEST_PATIENCE_MS = 1000

export function createBlockProducer(parameters: BlockProducerParameters): BlockProducer {
  return new Producer(parameters)
}

/** Owns the open macroblock. Closing is one step at a time, whoever asks for it. */
class Producer implements BlockProducer {
  readonly #given: BlockProducerParameters
  readonly #events: ReturnType<typeof createEvents<ProducerEvents>>
  readonly on: Listen<ProducerEvents>
  #open: OpenMacroblock
  /** Set from the moment the next key block exists until the store has it; a retry stores the same one. */
  #calculated: CalculatedMacroblock | null = null
  #closing: Promise<unknown> = Promise.resolve()
  #cancelTick: () => void = () => {}
  #isRunning = false

  constructor(parameters: BlockProducerParameters) {
    const { tail, clock, logger } = parameters
    this.#given = parameters
    this.#open = openMacroblock({ keyBlock: tail, openedAtMs: clock.now() })
    this.#events = createEvents((error) => logger.error('a listener failed', { reason: reasonOf(error) }))
    this.on = this.#events.on
  }

  readonly openKeyBlock = (): KeyBlock => this.#open.keyBlock

  readonly openMacroblock = (): OpenMacroblock | null => (this.#calculated === null ? this.#open : null)

  readonly hasMicroblock = (hash: string): boolean => this.#open.has(hash)

  readonly addMicroblock = (microblock: Microblock): AddedMicroblock => {
    if (this.#open.has(microblock.hash)) return 'already stored'
    if (this.#calculated !== null || microblock.keyBlockHash !== this.#open.keyBlock.hash) return 'late'
    this.#open.add(microblock)
    this.#events.emit('microblockAccepted', microblock)
    return 'added'
  }

  readonly closeNow = (): Promise<CalculatedMacroblock | null> => this.#inTurn(() => this.#close(0))

  readonly start = (): void => {
    this.#isRunning = true
    this.#keepAlive()
    this.#schedule(this.#given.blockTimeMs)
  }

  readonly stop = async (): Promise<void> => {
    this.#isRunning = false
    this.#cancelTick()
    await this.#closing
  }

  #schedule(delayMs: number): void {
    this.#cancelTick()
    if (this.#isRunning) this.#cancelTick = this.#given.clock.after(delayMs, () => void this.#tick())
  }

  async #tick(): Promise<void> {
    const { logger, blockTimeMs, keepAlive } = this.#given
    const retryMs = Math.min(blockTimeMs, LONGEST_RETRY_MS)
    try {
      // With keep-alive there was something to mine all the time, and nobody mined it.
      const patienceMs = keepAlive === null ? Math.min(blockTimeMs / 4, LONGEST_PATIENCE_MS) : 0
      if ((await this.#inTurn(() => this.#close(patienceMs))) === null) this.#schedule(retryMs)
    } catch (error) {
      logger.error('the macroblock could not be closed', { reason: reasonOf(error) })
      this.#schedule(retryMs)
    }
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#closing.then(step)
    this.#closing = result.catch(() => {})
    return result
  }

  async #close(housePatienceMs: number): Promise<CalculatedMacroblock | null> {
    if (this.#calculated === null) {
      this.#keepAlive()
      this.#letHouseMine(housePatienceMs)
      if (!this.#isCloseable()) return null
      this.#calculated = this.#calculate()
    }
    const calculated = this.#calculated
    await this.#store(calculated)
    this.#openNext(calculated)
    return calculated
  }

  /** Every macroblock wants a native microblock (PROTOCOL 4.7). */
  #isCloseable(): boolean {
    return this.#given.emptyMacroblocks || this.#isNativeMined()
  }

  #isNativeMined(): boolean {
    return this.#open.isMinedIn(this.#given.network.ledger.nativeTokenId)
  }

  /** Miners of custom tokens can take every transaction; the native microblock needs one more. */
  #keepAlive(): void {
    if (!this.#isNativeMined()) this.#given.keepAlive?.topUp(1, this.#open.holds)
  }

  #letHouseMine(minimumAgeMs: number): void {
    const { houseMiner, mempool, clock, maxMicroblocks, maxTransactionsPerMicroblock } = this.#given
    if (houseMiner === null || this.#isNativeMined()) return
    // The first one is published however many there are: without it the macroblock cannot be closed.
    do {
      const entries = mempool.take({
        limit: maxTransactionsPerMicroblock,
        nowMs: clock.now(),
        pendingTimeoutMs: 0,
        minimumAgeMs,
        isSettled: this.#open.holds,
      })
      if (entries.length === 0) return
      this.addMicroblock(houseMiner.publish(this.#open.keyBlock, entries))
    } while (this.#open.microblocks.length < maxMicroblocks)
  }

  #calculate(): CalculatedMacroblock {
    const { network, ledger, clock, keyBlockPublisher } = this.#given
    const sealed = sealMacroblock({
      keyBlock: this.#open.keyBlock,
      microblocks: this.#open.microblocks,
      votingPoolId: network.votingPoolId,
      publisher: keyBlockPublisher,
      time: Math.floor(clock.now() / 1000),
      seed: network.seed,
    })
    const closed = closeMacroblock(ledger, toLedgerMacroblock(sealed.macroblock), network.ledger)
    return { ...sealed, closed }
  }

  /** An error after the commit must not store the macroblock twice, so the store is asked what it has. */
  async #store(calculated: CalculatedMacroblock): Promise<void> {
    const { store } = this.#given
    try {
      await store.appendMacroblock(calculated)
    } catch (error) {
      const tail = await store.tail().catch(() => null)
      if (tail?.hash !== calculated.nextKeyBlock.hash) throw error
    }
  }

  #openNext(calculated: CalculatedMacroblock): void {
    const { ledger, mempool, clock, blockTimeMs } = this.#given
    const { closed, nextKeyBlock } = calculated
    ledger.applyChanges(closed.changes)
    mempool.remove(closed.report.transactions.map(({ hash }): Hash => hash))
    this.#open = openMacroblock({ keyBlock: nextKeyBlock, openedAtMs: clock.now() })
    this.#calculated = null
    if (this.#isRunning) this.#keepAlive()
    this.#schedule(blockTimeMs)
    this.#events.emit('macroblockClosed', calculated)
  }
}
