import { toLedgerMacroblock } from '@hailstone/ledger'
import { type Hash, hostError, isNodeError, type KeyBlock, type Microblock } from '@hailstone/protocol'
import { reasonOf } from '../logger.ts'
import type { BlockProducerParameters } from './block-producer-parameters.ts'
import { attemptMacroblock, learnBalances } from './calculate-macroblock.ts'
import type { CalculatedMacroblock } from './calculated-macroblock.ts'
import { createEvents, type Listen } from './events.ts'
import { learnCalculated } from './learn-calculated.ts'
import { type OpenMacroblock, openMacroblock } from './open-macroblock.ts'
import { type SealedMacroblock, sealMacroblock } from './seal-macroblock.ts'

/** Last block of the chain, to continue from. */
export type ChainTip = {
  readonly keyBlock: KeyBlock
  /** Number of rewinds of the chain; blocks of another branch have other hashes. */
  readonly branch: number
}

/** The chain went back from one open key block to another. */
export type Reorganisation = { readonly fromHeight: number; readonly toHeight: number }

/** Events of the block producer by name. */
export type ProducerEvents = {
  readonly macroblockClosed: CalculatedMacroblock
  readonly reorganised: Reorganisation
  readonly microblockAccepted: Microblock
}

export const producerEvents: { readonly [Name in keyof ProducerEvents]: true } = {
  macroblockClosed: true,
  reorganised: true,
  microblockAccepted: true,
}

/** `late`: of a macroblock that is closed already; stored by nobody, punished by nobody (PROTOCOL 5.8). */
export type AddedMicroblock = 'added' | 'alreadyStored' | 'late'

type CloseOptions = {
  /** Makes one microblock more, in the same step; null for none. */
  readonly add?: ((open: OpenMacroblock) => Microblock | null) | undefined
}

type ProducerCondition = {
  /** Age of the open key block, or of this process, in ms. */
  readonly openForMs: number
  /** Time for which a macroblock is being stored; null while none is. */
  readonly closingForMs: number | null
  /** Reason of the last failed attempt to close a macroblock; null after a success. */
  readonly failure: string | null
  /** True if that is the disk of the database, which is full for every process. */
  readonly isStoreFull: boolean
}

export type BlockProducer = {
  readonly openKeyBlock: () => KeyBlock
  /**
   * The open key block; null while the store may have another one already: while a macroblock is being stored, and
   * while the chain goes back. Another object after each macroblock.
   */
  readonly tip: () => KeyBlock | null
  /** Null while the macroblock is being closed, and where another process closes it. */
  readonly openMacroblock: () => OpenMacroblock | null
  readonly hasMicroblock: (hash: string) => boolean
  /** @param hashes of its transactions, if they are known */
  readonly addMicroblock: (microblock: Microblock, hashes?: readonly Hash[]) => AddedMicroblock
  /** Closes the open macroblock without waiting for the clock; null when it has no microblock to close with. */
  readonly closeNow: (options?: CloseOptions) => Promise<CalculatedMacroblock | null>
  /** Goes on from another key block, which the step puts in place between two macroblocks; null changes nothing. */
  readonly replaceTip: (step: () => Promise<ChainTip | null>) => Promise<void>
  /** The macroblock that is being stored, while nothing else changes the chain; null otherwise. */
  readonly storing: () => CalculatedMacroblock | null
  /** Hash of the key block that closes the open macroblock, while that is being stored. */
  readonly storingHash: () => Hash | null
  /** Goes on from a macroblock that another process stored. */
  readonly adopt: (calculated: CalculatedMacroblock) => Promise<void>
  /** Returns the number of rewinds of the chain. */
  readonly branch: () => number
  readonly isRunning: () => boolean
  /** Returns the state of closing macroblocks. */
  readonly condition: () => ProducerCondition
  readonly start: () => void
  /** Waits for a macroblock that is being stored. */
  readonly stop: () => Promise<void>
  readonly on: Listen<ProducerEvents>
}

/** Longest pause before another attempt to close a macroblock, in ms. */
const LONGEST_RETRY_MS = 1000
/** Left to other miners before the fallback miner takes a transaction, at most. */
const LONGEST_TIMEOUT_MS = 1000

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
  #branch: number
  #isReplacing = false
  #closing: Promise<unknown> = Promise.resolve()
  #cancelTick: () => void = () => {}
  #isRunning = false
  /** Readings of the time that only grows. */
  #openedAt: number
  #storingSince: number | null = null
  #failure: string | null = null
  #isStoreFull = false

  constructor(parameters: BlockProducerParameters) {
    const { tail, clock, logger } = parameters
    this.#given = parameters
    this.#branch = parameters.branch ?? 0
    this.#open = openMacroblock({ keyBlock: tail, openedAtMs: clock.now() })
    this.#openedAt = clock.elapsedMs()
    this.#events = createEvents<ProducerEvents>(producerEvents, (error) =>
      logger.error('a listener failed', { reason: reasonOf(error) }),
    )
    this.on = this.#events.on
  }

  readonly openKeyBlock = (): KeyBlock => this.#open.keyBlock

  readonly tip = (): KeyBlock | null => (this.#isClosing() ? null : this.#open.keyBlock)

  readonly openMacroblock = (): OpenMacroblock | null =>
    this.#isClosing() || !this.#isLeading() ? null : this.#open

  readonly storing = (): CalculatedMacroblock | null => (this.#isReplacing ? null : this.#calculated)

  readonly storingHash = (): Hash | null => this.#calculated?.nextKeyBlock.hash ?? null

  readonly hasMicroblock = (hash: string): boolean => this.#open.has(hash)

  readonly addMicroblock = (microblock: Microblock, hashes?: readonly Hash[]): AddedMicroblock => {
    if (this.#open.has(microblock.hash)) return 'alreadyStored'
    if (!this.#isLeading() || this.#isClosing() || microblock.keyBlockHash !== this.#open.keyBlock.hash)
      return 'late'
    this.#open.add(microblock, hashes)
    this.#events.emit('microblockAccepted', microblock)
    return 'added'
  }

  readonly closeNow = (options: CloseOptions = {}): Promise<CalculatedMacroblock | null> =>
    this.#inTurn(async () => {
      await this.#given.untilLeadKnown?.()
      if (!this.#isLeading())
        throw hostError('CONTROL_REFUSED', { reason: 'this process does not lead the network now' })
      return this.#close(0, options).catch((error: unknown) => {
        // Nobody can mine until the macroblock is stored, so that must not wait for the end of the block time.
        if (this.#calculated !== null) this.#schedule(this.#retryMs())
        throw error
      })
    })

  readonly replaceTip = (step: () => Promise<ChainTip | null>): Promise<void> =>
    this.#inTurn(() => this.#replace(step))

  readonly adopt = (calculated: CalculatedMacroblock): Promise<void> =>
    this.#inTurn(async () => {
      this.#failure = null
      this.#openNext(calculated)
    })

  readonly branch = (): number => this.#branch

  readonly isRunning = (): boolean => this.#isRunning

  readonly condition = (): ProducerCondition => ({
    openForMs: this.#sinceMs(this.#openedAt),
    closingForMs: this.#storingSince === null ? null : this.#sinceMs(this.#storingSince),
    failure: this.#failure,
    isStoreFull: this.#failure !== null && this.#isStoreFull,
  })

  #sinceMs(reading: number): number {
    return Math.round(this.#given.clock.elapsedMs() - reading)
  }

  readonly start = (): void => {
    if (!this.#isLeading()) return
    this.#isRunning = true
    this.#keepAlive()
    this.#schedule(this.#given.blockTimeMs)
  }

  readonly stop = async (): Promise<void> => {
    this.#isRunning = false
    this.#cancelTick()
    await this.#closing
  }

  #isLeading(): boolean {
    return this.#given.isLeading?.() ?? true
  }

  #isClosing(): boolean {
    return this.#calculated !== null || this.#isReplacing
  }

  async #replace(step: () => Promise<ChainTip | null>): Promise<void> {
    const { height: fromHeight, hash } = this.#open.keyBlock
    this.#isReplacing = true
    try {
      const tip = await step()
      if (tip === null) return
      this.#branch = tip.branch
      this.#calculated = null
      this.#failure = null
      // Of ledger and open key block nobody may see one without the other.
      this.#begin(tip.keyBlock)
    } finally {
      this.#isReplacing = false
    }
    const { height: toHeight, hash: newHash } = this.#open.keyBlock
    if (newHash !== hash) this.#events.emit('reorganised', { fromHeight, toHeight })
  }

  #schedule(delayMs: number): void {
    this.#cancelTick()
    if (this.#isRunning) this.#cancelTick = this.#given.clock.after(delayMs, () => void this.#tick())
  }

  async #tick(): Promise<void> {
    const { logger, blockTimeMs, keepAlive } = this.#given
    const retryMs = this.#retryMs()
    try {
      // With keep-alive there was something to mine all the time, and nobody mined it.
      const patienceMs = keepAlive === null ? Math.min(blockTimeMs / 4, LONGEST_TIMEOUT_MS) : 0
      if ((await this.#inTurn(() => this.#close(patienceMs))) === null) this.#schedule(retryMs)
    } catch (error) {
      logger.error('the macroblock could not be closed', { reason: reasonOf(error) })
      this.#schedule(retryMs)
    }
  }

  #retryMs(): number {
    return Math.min(this.#given.blockTimeMs, LONGEST_RETRY_MS)
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#closing.then(step)
    this.#closing = result.catch(() => {})
    return result
  }

  async #close(housePatienceMs: number, { add }: CloseOptions = {}): Promise<CalculatedMacroblock | null> {
    if (this.#calculated === null) {
      this.#keepAlive()
      this.#letHouseMine(housePatienceMs)
      const added = add?.(this.#open) ?? null
      if (added !== null) this.addMicroblock(added)
      if (!this.#isCloseable()) return null
      await this.#calculate()
    }
    const calculated = this.#calculated
    if (calculated === null) return null
    await this.#store(calculated)
    this.#openNext(calculated)
    return calculated
  }

  #noteFailure(error: unknown): void {
    this.#failure = reasonOf(error)
    this.#isStoreFull = isNodeError(error, 'STORE_FULL')
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
    const { fallbackMiner, mempool, clock, maxMicroblocks, maxTransactionsPerMicroblock } = this.#given
    if (fallbackMiner === null || this.#isNativeMined()) return
    // The first one is published however many there are: without it the macroblock cannot be closed.
    do {
      const microblock = fallbackMiner.mine({
        open: this.#open,
        mempool,
        limit: maxTransactionsPerMicroblock,
        nowMs: clock.now(),
        minimumAgeMs,
      })
      // What was not added now will not be added by trying again.
      if (microblock === null || this.addMicroblock(microblock) !== 'added') return
    } while (this.#open.microblockCount < maxMicroblocks)
  }

  /** Microblocks arrive while the store is asked, so it is asked until there is nothing left. */
  async #calculate(): Promise<void> {
    try {
      for (let lacks = this.#attempt(); lacks !== null; lacks = this.#attempt()) await lacks()
    } catch (error) {
      this.#noteFailure(error)
      throw error
    }
  }

  /** Calculates the macroblock as it is now, or returns a function that reads what the ledger lacks for that. */
  #attempt(): (() => Promise<void>) | null {
    const { network, ledger, store } = this.#given
    const { transactionHashes: hashes, keyBlock } = this.#open
    const { height } = keyBlock
    if (ledger.unasked(hashes).length > 0) return () => learnCalculated(ledger, { store, height, hashes })
    const sealed = this.#seal()
    const attempt = attemptMacroblock(ledger, toLedgerMacroblock(sealed.macroblock), network.ledger)
    if ('lacking' in attempt) return () => learnBalances(ledger, { store, height, keys: attempt.lacking })
    // From here on no microblock is taken.
    this.#calculated = { ...sealed, closed: attempt.closed }
    return null
  }

  #seal(): SealedMacroblock {
    const { network, clock, keyBlockPublisher, blockTime = clock.now } = this.#given
    return sealMacroblock({
      keyBlock: this.#open.keyBlock,
      microblocks: this.#open.microblocks,
      votingPoolId: network.votingPoolId,
      publisher: keyBlockPublisher,
      time: Math.floor(blockTime() / 1000),
      seed: this.#branch === 0 ? network.seed : `${network.seed} branch ${this.#branch}`,
    })
  }

  /** An error after the commit must not store the macroblock twice, so the store is asked what it has. */
  async #store(calculated: CalculatedMacroblock): Promise<void> {
    const { store, clock, requireReplica = false } = this.#given
    this.#storingSince = clock.elapsedMs()
    try {
      await store.appendMacroblock(calculated)
    } catch (error) {
      const tail = requireReplica ? null : await store.tail().catch(() => null)
      if (tail?.hash !== calculated.nextKeyBlock.hash) {
        this.#noteFailure(error)
        throw error
      }
    } finally {
      this.#storingSince = null
    }
    this.#failure = null
  }

  #openNext(calculated: CalculatedMacroblock): void {
    const { ledger, mempool } = this.#given
    const { closed, nextKeyBlock } = calculated
    ledger.applyChanges(closed.changes)
    const settled = closed.report.transactions.map(({ hash }): Hash => hash)
    if (mempool.settle === undefined) mempool.remove(settled)
    else mempool.settle(settled)
    this.#calculated = null
    this.#begin(nextKeyBlock)
    this.#events.emit('macroblockClosed', calculated)
  }

  #begin(keyBlock: KeyBlock): void {
    const { clock, blockTimeMs } = this.#given
    this.#open = openMacroblock({ keyBlock, openedAtMs: clock.now() })
    this.#openedAt = clock.elapsedMs()
    if (this.#isRunning) this.#keepAlive()
    this.#schedule(blockTimeMs)
  }
}
