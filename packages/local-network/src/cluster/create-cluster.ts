import type { Address, TokenId } from '@hailstone/protocol'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { Clock } from '../clock.ts'
import type { Gateway, OnlineMiner } from '../gateway/create-gateway.ts'
import { type Logger, reasonOf } from '../logger.ts'
import type { SharedStore } from '../store/index.ts'
import { type FollowParts, followChain } from './follow-chain.ts'
import { isKnownDead, processName } from './process-name.ts'
import type { Relay } from './relay-line.ts'
import type { SharedMempool } from './shared-mempool.ts'

/** `alone`: the chain belongs to this process. `joining`: it has not looked around yet. */
export type ClusterRole = 'alone' | 'joining' | 'leader' | 'follower'

export type Cluster = {
  readonly role: () => ClusterRole
  /** Where the leader takes miners; null while nobody does, or when it is this process. */
  readonly relay: () => Relay | null
  /** Miners that are connected to the leader, as far as followers know them. */
  readonly minersOfLeader: () => readonly OnlineMiner[]
  /** Why no macroblocks are closed, as seen from a follower; null when somebody leads. */
  readonly trouble: () => string | null
  /** Takes the lead, or follows whoever has it. @param relay where this process takes miners if it leads */
  readonly join: (relay: Relay | null) => Promise<void>
  /** Gives the lead back and stops looking. Idempotent. */
  readonly leave: () => Promise<void>
}

export type ClusterParameters = Omit<FollowParts, 'shared'> & {
  readonly shared: SharedStore
  readonly mempool: SharedMempool
  readonly producer: BlockProducer
  readonly gateway: Pick<Gateway, 'minersOnline' | 'dismissAll'>
  readonly clock: Clock
  readonly logger: Logger
  readonly onRole: (role: ClusterRole) => void
}

/** A leader that is not heard of for so long is followed by another one. */
const LEASE_MS = 3000
const RENEW_MS = 750
/** How often a process looks by itself, where nobody can wake it. */
const LOOK_MS = 250
/** Without a leader for so long, a follower is not well. */
const PATIENCE_MS = 8000

/** A network of one process. */
export const alone: Cluster = {
  role: () => 'alone',
  relay: () => null,
  minersOfLeader: () => [],
  trouble: () => null,
  join: async () => {},
  leave: async () => {},
}

export const createCluster = (parameters: ClusterParameters): Cluster => new SharedCluster(parameters)

function parseRelay(text: string | null): Relay | null {
  const [, host, port] = /^(.*):(\d+)$/.exec(text ?? '') ?? []
  return host === undefined ? null : { host, port: Number(port) }
}

/** One look at a time: what it finds decides what this process is until the next one. */
class SharedCluster implements Cluster {
  readonly #given: ClusterParameters
  #role: ClusterRole = 'joining'
  #name = ''
  #ownRelay: Relay | null = null
  #leaderRelay: Relay | null = null
  #miners: readonly OnlineMiner[] = []
  #minersVersion = -1n
  #writtenMiners = '[]'
  #lastRenewedAtMs = 0
  #lastLedAtMs = 0
  #looking: Promise<void> | undefined
  #isWanted = false
  #isLeft = false
  #cancelLook: () => void = () => {}
  #stopListening: () => Promise<void> = async () => {}

  constructor(parameters: ClusterParameters) {
    this.#given = parameters
  }

  readonly role = (): ClusterRole => this.#role

  readonly relay = (): Relay | null => (this.#role === 'follower' ? this.#leaderRelay : null)

  readonly minersOfLeader = (): readonly OnlineMiner[] => this.#miners

  readonly trouble = (): string | null => {
    if (this.#role === 'leader') return null
    const vacantMs = this.#given.clock.now() - this.#lastLedAtMs
    return vacantMs > PATIENCE_MS ? 'no process leads' : null
  }

  readonly join = async (relay: Relay | null): Promise<void> => {
    this.#ownRelay = relay
    this.#name = await processName()
    this.#lastLedAtMs = this.#given.clock.now()
    await this.#look()
    this.#stopListening = this.#given.shared.listen(() => this.#lookNow())
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

  #lookNow(): void {
    this.#isWanted = true
    if (this.#isLeft) return
    this.#looking ??= this.#lookWhileWanted().finally(() => {
      this.#looking = undefined
    })
  }

  async #lookWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isLeft) {
      this.#isWanted = false
      try {
        await this.#look()
      } catch (error) {
        this.#given.logger.warn('the shared database did not answer', { reason: reasonOf(error) })
        return
      }
    }
  }

  #lookLater(): void {
    if (this.#isLeft) return
    this.#cancelLook = this.#given.clock.after(LOOK_MS, () => {
      this.#lookNow()
      this.#lookLater()
    })
  }

  async #look(): Promise<void> {
    if (this.#role === 'leader') await this.#stayLeader()
    if (this.#role !== 'leader') await this.#follow()
  }

  async #stayLeader(): Promise<void> {
    const { shared, mempool, clock, logger } = this.#given
    if (clock.now() - this.#lastRenewedAtMs >= RENEW_MS) {
      if (!(await shared.renew(LEASE_MS))) {
        logger.warn('another process leads now')
        await this.#stepDown()
        return
      }
      this.#lastRenewedAtMs = clock.now()
      await this.#tellMiners()
    }
    const state = await shared.state()
    if (state !== null) await mempool.sync({ size: state.poolSize, newest: state.poolNewest })
  }

  async #tellMiners(): Promise<void> {
    const { shared, gateway } = this.#given
    const miners = JSON.stringify(gateway.minersOnline())
    if (miners === this.#writtenMiners) return
    await shared.writeMiners(miners)
    this.#writtenMiners = miners
    void shared.wake()
  }

  async #follow(): Promise<void> {
    const { shared, mempool, clock } = this.#given
    const state = await shared.state()
    if (state !== null) {
      await followChain(this.#given, state)
      await mempool.sync({ size: state.poolSize, newest: state.poolNewest })
      if (state.minersVersion !== this.#minersVersion) await this.#readMiners(state.minersVersion)
      this.#leaderRelay = parseRelay(state.relay)
    }
    const deadHolder = state !== null && (await isKnownDead(state.holder)) ? state.holder : null
    if (state !== null && !state.isVacant && deadHolder === null) {
      this.#lastLedAtMs = clock.now()
      this.#become('follower')
      return
    }
    await this.#claim(deadHolder)
  }

  async #claim(deadHolder: string | null): Promise<void> {
    const { shared, clock, producer } = this.#given
    const relay = this.#ownRelay === null ? null : `${this.#ownRelay.host}:${this.#ownRelay.port}`
    const began = clock.now()
    const term = await shared.claim({ holder: this.#name, relay, leaseMs: LEASE_MS, deadHolder })
    if (term === null) {
      this.#become('follower')
      return
    }
    this.#lastRenewedAtMs = began
    this.#writtenMiners = '[]'
    // What the one before stored last; from here on nobody else stores anything.
    const state = await shared.state()
    if (state !== null) {
      await followChain(this.#given, state)
      await this.#given.mempool.sync({ size: state.poolSize, newest: state.poolNewest })
    }
    this.#become('leader')
    if (!this.#isLeft) producer.start()
    void shared.wake()
  }

  async #readMiners(version: bigint): Promise<void> {
    this.#miners = JSON.parse(await this.#given.shared.readMiners()) as readonly {
      readonly address: Address
      readonly tokenId: TokenId
    }[]
    this.#minersVersion = version
  }

  async #stepDown(): Promise<void> {
    this.#become('follower')
    this.#given.gateway.dismissAll()
    await this.#given.producer.stop()
  }

  #become(role: ClusterRole): void {
    if (this.#role === role) return
    this.#role = role
    this.#given.logger.info('the role changed', { role })
    this.#given.onRole(role)
  }
}
