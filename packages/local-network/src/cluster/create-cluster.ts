import { randomBytes, randomUUID } from 'node:crypto'
import { type Hash, isNodeError } from '@hailstone/protocol'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { Clock } from '../clock.ts'
import { type Logger, reasonOf } from '../logger.ts'
import type { SharedStore } from '../store/index.ts'
import { isSameLease, LEASE_MS, type Lead, type Lease, type SharedState } from '../store/leadership.ts'
import type { Lines } from './create-lines.ts'
import { type FollowParts, followChain, recoverChain } from './follow-chain.ts'
import type { LinePlace } from './line-address.ts'
import { isKnownDead, processName } from './process-name.ts'
import type { SharedMempool } from './shared-mempool.ts'

/** `alone`: the chain belongs to this process. `joining`: it has not looked around yet. */
export type ClusterRole = 'alone' | 'joining' | 'leader' | 'follower'

export type Cluster = {
  readonly role: () => ClusterRole
  /** True while this process leads and has renewed its lease in time; only then it offers and takes microblocks. */
  readonly isLeaseFresh: () => boolean
  /** Waits until this process has renewed a lease that is late, or has lost it; 8 s at most. */
  readonly untilLeaseFresh: () => Promise<void>
  /** Returns the leadership's reason why no macroblocks are closed, or null. */
  readonly trouble: () => string | null
  /** Looks at once whether there is something new. */
  readonly lookNow: () => void
  /** Takes the lead, or follows whoever has it. @param place where gateways of others reach this process if it leads */
  readonly join: (place: LinePlace | null) => Promise<void>
  /** Gives the lead back and stops looking. Idempotent. */
  readonly leave: () => Promise<void>
}

export type ClusterParameters = Omit<FollowParts, 'shared'> & {
  readonly shared: SharedStore
  readonly mempool: SharedMempool
  readonly producer: BlockProducer
  readonly lines: Pick<Lines, 'lead' | 'follow'>
  readonly clock: Clock
  /** True if the process with a name has ended, as far as can be known. @default for those of this machine */
  readonly isDead?: ((name: string) => Promise<boolean>) | undefined
  readonly blockTimeMs: number
  /** True if the chain stands still while commits of the database wait for no standby. @default false */
  readonly requireReplica?: boolean | undefined
  readonly logger: Logger
  readonly onRole: (role: ClusterRole) => void
}

const RENEW_MS = 750
/** Poll interval of a process that nobody can wake, in ms. */
const LOOK_MS = 250
/** Without a leader for so long, a follower is not well. */
const TIMEOUT_MS = 8000
/** A macroblock that cannot be stored for so long makes the leader reload the chain. */
const RELOAD_AFTER_MS = 2000
/** Time after which a leader that still has trouble gives up the lead for a while, in ms. */
const GIVE_UP_AFTER_MS = 10_000
const REST_MS = 10_000
const SECRET_BYTES = 24
/** Pause of those who wait for a lease to be renewed, in ms. */
const PAUSE_MS = 20
/** A look that takes so long makes this process ask for the reason, in ms. */
const LATE_MS = 2000

const STANDBY_AWAITED =
  'the database waits for a standby that does not answer; bring it back, or take it out of synchronous_standby_names'

/** A network of one process. */
export const alone: Cluster = {
  role: () => 'alone',
  isLeaseFresh: () => true,
  untilLeaseFresh: async () => {},
  trouble: () => null,
  lookNow: () => {},
  join: async () => {},
  leave: async () => {},
}

export const createCluster = (parameters: ClusterParameters): Cluster => new SharedCluster(parameters)

/** One look at a time: what it finds decides what this process is until the next one. */
class SharedCluster implements Cluster {
  readonly #given: ClusterParameters
  readonly #elapsed: () => number
  #role: ClusterRole = 'joining'
  #name = ''
  #ownPlace: LinePlace | null = null
  #lead: Lead | null = null
  /** The lease of another process, and since when it has not been renewed. */
  #seen: { readonly lease: Lease; readonly sinceMs: number } | null = null
  #lastRenewedAtMs = 0
  #lastLedAtMs = 0
  /** Set from the first failed append until another key block is open. */
  #failing: { readonly hash: Hash; readonly sinceMs: number; readonly hasReloaded: boolean } | null = null
  #restsUntilMs = 0
  /** Why commits wait for no standby, where they have to. */
  #unreplicated: string | null = null
  /** Why the last look failed; null if it did not. */
  #failure: string | null = null
  #isStoreFull = false
  #isStandbyAwaited = false
  #isAsking = false
  #looking: Promise<void> | undefined
  #lookingSinceMs = 0
  #isWanted = false
  #isLeft = false
  #cancelLook: () => void = () => {}
  #stopListening: () => Promise<void> = async () => {}

  constructor(parameters: ClusterParameters) {
    this.#given = parameters
    this.#elapsed = parameters.clock.elapsedMs
  }

  readonly role = (): ClusterRole => this.#role

  readonly isLeaseFresh = (): boolean =>
    this.#role === 'leader' && this.#unreplicated === null && this.#sinceRenewedMs() < LEASE_MS

  readonly untilLeaseFresh = async (): Promise<void> => {
    const endMs = this.#elapsed() + TIMEOUT_MS
    const isLate = () =>
      !this.#isLeft && this.#role === 'leader' && this.#unreplicated === null && !this.isLeaseFresh()
    while (isLate() && this.#elapsed() < endMs) {
      this.lookNow()
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  readonly trouble = (): string | null => {
    if (this.#unreplicated !== null)
      return `the database acknowledges commits without a standby: ${this.#unreplicated}; start a standby and name it in synchronous_standby_names`
    if (this.#isStandbyAwaited) return STANDBY_AWAITED
    if (this.#failure !== null && this.#isStoreFull) return this.#failure
    if (this.#role === 'leader')
      return this.#sinceRenewedMs() < TIMEOUT_MS
        ? null
        : `the lease could not be renewed for ${Math.round(this.#sinceRenewedMs())} ms`
    if (this.#elapsed() - this.#lastLedAtMs > TIMEOUT_MS) return 'no process leads'
    const { producer, mempool, blockTimeMs } = this.#given
    const { openForMs: waitedMs } = producer.condition()
    const isStuck = mempool.size > 0 && waitedMs > 3 * blockTimeMs + TIMEOUT_MS
    return isStuck ? `the process that leads has closed no macroblock for ${waitedMs} ms` : null
  }

  readonly join = async (place: LinePlace | null): Promise<void> => {
    this.#ownPlace = place
    this.#name = await processName()
    this.#lastLedAtMs = this.#elapsed()
    await this.#look()
    this.#stopListening = this.#given.shared.listen(() => this.lookNow())
    this.#lookLater()
  }

  readonly leave = async (): Promise<void> => {
    if (this.#isLeft) return
    this.#isLeft = true
    this.#cancelLook()
    await this.#stopListening()
    await this.#looking
    await this.#given.producer.stop()
    if (this.#role !== 'leader') return
    this.#role = 'joining'
    // A database that is away must not keep anybody from stopping; the lease runs out by itself.
    await this.#given.mempool.flush().catch(() => {})
    await this.#given.shared.release().catch(() => {})
    await this.#given.shared.wake()
  }

  readonly lookNow = (): void => {
    this.#isWanted = true
    // Nobody waits for the first look, which is that of the join.
    if (this.#isLeft || this.#role === 'joining') return
    if (this.#looking !== undefined) {
      if (this.#elapsed() - this.#lookingSinceMs > LATE_MS) void this.#askWhy()
      return
    }
    this.#lookingSinceMs = this.#elapsed()
    this.#looking = this.#lookWhileWanted().finally(() => {
      this.#looking = undefined
      this.#isStandbyAwaited = false
    })
  }

  /** Finds out whether a look takes long because a commit waits for a standby. */
  async #askWhy(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const isAwaited = await this.#given.shared.isStandbyAwaited().catch(() => false)
    this.#isAsking = false
    if (isAwaited && !this.#isStandbyAwaited) this.#given.logger.warn(STANDBY_AWAITED)
    this.#isStandbyAwaited = isAwaited && this.#looking !== undefined
  }

  async #lookWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isLeft) {
      this.#isWanted = false
      try {
        await this.#look()
        this.#failure = null
      } catch (error) {
        const reason = reasonOf(error)
        // Four times a second is too often to repeat it.
        if (reason !== this.#failure)
          this.#given.logger.warn('the shared database did not answer', { reason })
        this.#failure = reason
        this.#isStoreFull = isNodeError(error, 'STORE_FULL')
        return
      }
    }
  }

  #lookLater(): void {
    if (this.#isLeft) return
    this.#cancelLook = this.#given.clock.after(LOOK_MS, () => {
      this.lookNow()
      this.#lookLater()
    })
  }

  async #look(): Promise<void> {
    if (this.#role === 'leader') await this.#stayLeader()
    if (this.#role !== 'leader') await this.#follow()
  }

  async #stayLeader(): Promise<void> {
    const { shared, mempool } = this.#given
    const now = this.#elapsed()
    if (now - this.#lastRenewedAtMs >= RENEW_MS) {
      if (!(await shared.renew())) return this.#loseLead()
      this.#lastRenewedAtMs = now
    }
    const state = await shared.state()
    if (state === null || state.term !== this.#lead?.term || state.holder !== this.#lead.holder)
      return this.#loseLead()
    if (!this.#isKept(state)) return
    await this.#keepChain(state)
    if (this.#role !== 'leader') return
    await mempool.sync({ size: state.poolSize, newest: state.poolNewest })
    mempool.trim()
  }

  /** True if the chain may go on: a standby has each commit, or need not have it. */
  #isKept({ unreplicated }: SharedState): boolean {
    const { requireReplica = false, logger } = this.#given
    const reason = requireReplica ? unreplicated : null
    if (reason !== null && this.#unreplicated === null)
      logger.warn('no macroblocks are closed: the database has no synchronous standby', {
        reason,
        advice: 'start a standby and name it in synchronous_standby_names',
      })
    if (reason === null && this.#unreplicated !== null)
      logger.warn('macroblocks are closed again: the database has a synchronous standby')
    this.#unreplicated = reason
    return reason === null
  }

  async #loseLead(): Promise<void> {
    this.#given.logger.warn('another process leads now')
    await this.#stepDown()
  }

  /**
   * Looks after a chain that cannot be continued. Where the store ends with another key block, a failover lost
   * macroblocks, and every append would fail for ever. Where it agrees and appends fail nevertheless, the state in
   * memory may be wrong; then the reason may be one that another process does not have.
   */
  async #keepChain(state: SharedState): Promise<void> {
    const { producer, shared, logger } = this.#given
    const { failure, isStoreFull } = producer.condition()
    const { hash } = producer.openKeyBlock()
    const now = this.#elapsed()
    if (this.#failing?.hash !== hash) this.#failing = null
    // Another process would find the same disk full, and miners would be sent away for nothing.
    if (isStoreFull) this.#failing = null
    else if (failure !== null) this.#failing ??= { hash, sinceMs: now, hasReloaded: false }
    const failingMs = failure === null || this.#failing === null ? 0 : now - this.#failing.sinceMs
    if (state.tailHash !== hash && state.tailHash !== producer.storingHash()) {
      await recoverChain(this.#given, false)
    } else if (failingMs >= GIVE_UP_AFTER_MS) {
      logger.warn('the lead is given back', { reason: failure })
      await shared.release()
      this.#restsUntilMs = now + REST_MS
      await this.#stepDown()
      void shared.wake()
    } else if (failingMs >= RELOAD_AFTER_MS && this.#failing?.hasReloaded === false) {
      logger.warn('the chain is loaded again', { reason: failure })
      await recoverChain(this.#given, true)
      this.#failing = { ...this.#failing, hasReloaded: true }
    }
  }

  async #follow(): Promise<void> {
    const { shared, mempool } = this.#given
    const askedAtMs = this.#elapsed()
    const state = await shared.state()
    const isKept = state === null || this.#isKept(state)
    if (state !== null) {
      if (isKept) {
        await followChain(this.#given, state)
        await mempool.sync({ size: state.poolSize, newest: state.poolNewest })
      }
    }
    if (state !== null && !(await this.#isVacant(state, askedAtMs))) {
      this.#lastLedAtMs = this.#elapsed()
      this.#become('follower')
      this.#given.lines.follow(state.line)
      return
    }
    if (!isKept || this.#elapsed() < this.#restsUntilMs) this.#become('follower')
    else await this.#claim(state)
  }

  /** True if the lease was given back, or its holder is dead or has not renewed it in the time of this process. */
  async #isVacant(state: SharedState, askedAtMs: number): Promise<boolean> {
    const seen = this.#seen
    if (seen === null || !isSameLease(seen.lease, state))
      this.#seen = { lease: state, sinceMs: this.#elapsed() }
    else if (askedAtMs - seen.sinceMs >= LEASE_MS) return true
    // A claim of our own that we do not lead under: its answer got lost, or an older row came back.
    if (state.holder === '' || state.holder.startsWith(this.#name)) return true
    return (this.#given.isDead ?? isKnownDead)(state.holder)
  }

  async #claim(seen: Lease | null): Promise<void> {
    const { shared, producer, lines } = this.#given
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const line = this.#ownPlace && { ...this.#ownPlace, secret }
    const holder = `${this.#name} ${randomUUID()}`
    const began = this.#elapsed()
    const term = await shared.claim({ holder, line, seen })
    if (term === null) {
      this.#become('follower')
      return
    }
    this.#lead = { term, holder }
    this.#lastRenewedAtMs = began
    this.#failing = null
    // What the one before stored last; from here on nobody else stores anything.
    const state = await shared.state()
    if (state !== null) {
      await followChain(this.#given, state)
      await this.#given.mempool.sync({ size: state.poolSize, newest: state.poolNewest })
    }
    this.#become('leader')
    lines.lead(secret)
    if (!this.#isLeft) producer.start()
    void shared.wake()
  }

  #sinceRenewedMs(): number {
    return this.#elapsed() - this.#lastRenewedAtMs
  }

  async #stepDown(): Promise<void> {
    this.#become('follower')
    this.#given.lines.follow(null)
    await this.#given.producer.stop()
  }

  #become(role: ClusterRole): void {
    if (this.#role === role) return
    this.#role = role
    this.#given.logger.info('the role changed', { role })
    this.#given.onRole(role)
  }
}
