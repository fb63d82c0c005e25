import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import type { Hash } from '@hailstone/protocol'
import type { BalanceReader } from '../chain/balance-reader.ts'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { KeepAlive } from '../chain/keep-alive.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { Random } from '../chain/selection.ts'
import type { Clock } from '../clock.ts'
import { type GatewayOptions, gatewaySettings } from '../gateway/gateway-options.ts'
import type { OnlineMiner } from '../gateway/online-miner.ts'
import { type Logger, reasonOf } from '../logger.ts'
import type { GatewayEnd, LeaderEnd } from './gateway-end.ts'
import { offerMicroblocks } from './offer-microblocks.ts'
import { createSeatRegistry, type SeatRegistry } from './seat-registry.ts'

export type LeaderParameters = {
  readonly producer: BlockProducer
  readonly mempool: Mempool
  readonly keepAlive: KeepAlive | null
  readonly ledger: LedgerState
  readonly balances: Pick<BalanceReader, 'balance'>
  readonly network: NetworkParameters
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly options?: GatewayOptions | undefined
}

/** A gateway that the leader offers microblocks to. */
export type ConnectedGateway = LeaderEnd & {
  /** Forgets the gateway and its miners; publications that still come are late. Idempotent. */
  readonly end: () => void
}

/** Longest wait for gateways that have not followed the newest macroblock yet, in ms. */
const FOLLOW_TIMEOUT_MS = 500

/** Offers what waits to the miners of all gateways, and takes what they publish. */
export type Leader = {
  readonly connect: (gateway: GatewayEnd) => ConnectedGateway
  /** Returns the miners of all gateways but one. */
  readonly minersOnline: (besides?: GatewayEnd) => readonly OnlineMiner[]
  /** Returns another number after each change of the miners. */
  readonly minersVersion: () => number
  /** Begins to offer. */
  readonly start: () => void
  /** Idempotent. */
  readonly stop: () => void
}

export const createLeader = (parameters: LeaderParameters): Leader => new OfferingLeader(parameters)

class OfferingLeader implements Leader {
  readonly #given: LeaderParameters
  readonly #settings: ReturnType<typeof gatewaySettings>
  readonly #gateways = new Set<GatewayEnd>()
  readonly #seats: SeatRegistry = createSeatRegistry()
  #lastId = 0
  /** Hashes of the transactions of each offer of the open macroblock, by its number. */
  readonly #offered = new Map<number, readonly Hash[]>()
  #offeredFor: Hash | null = null
  #isRunning = false
  #cancelRound: () => void = () => {}

  constructor(parameters: LeaderParameters) {
    this.#given = parameters
    this.#settings = gatewaySettings(parameters.options ?? {})
  }

  readonly minersOnline = (besides?: GatewayEnd): readonly OnlineMiner[] => this.#seats.miners(besides)

  readonly minersVersion = (): number => this.#seats.version()

  readonly connect = (gateway: GatewayEnd): ConnectedGateway => {
    this.#gateways.add(gateway)
    const isConnected = (): boolean => this.#gateways.has(gateway)
    return {
      claim: (claim) => {
        if (isConnected()) this.#seats.claim(gateway, claim)
      },
      leave: (seat) => this.#seats.leave(gateway, seat),
      publish: ({ offerId, microblock }, answer) => {
        const { producer } = this.#given
        answer(isConnected() ? producer.addMicroblock(microblock, this.#offered.get(offerId)) : 'late')
      },
      end: () => {
        this.#gateways.delete(gateway)
        this.#seats.leaveAll(gateway)
      },
    }
  }

  readonly start = (): void => {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#roundLater()
  }

  readonly stop = (): void => {
    this.#isRunning = false
    this.#cancelRound()
  }

  #roundLater(): void {
    this.#cancelRound = this.#given.clock.after(this.#settings.feederIntervalMs, () => {
      try {
        this.#offer()
      } catch (error) {
        // One bad round must not end the rounds.
        this.#given.logger.error('a round of offers failed', { reason: reasonOf(error) })
      }
      if (this.#isRunning) this.#roundLater()
    })
  }

  #offer(): void {
    const open = this.#given.producer.openMacroblock()
    if (open === null) return
    const gateways = [...this.#gateways]
    const nowMs = this.#given.clock.now()
    // The first round of a macroblock may give all its places away, so it waits for those who can be there.
    const timeoutMs = Math.min(FOLLOW_TIMEOUT_MS, this.#settings.watchdogMs / 4)
    if (nowMs - open.openedAtMs < timeoutMs && gateways.some((one) => isBehind(one, open.keyBlock.hash)))
      return
    if (this.#offeredFor !== open.keyBlock.hash) this.#offered.clear()
    this.#offeredFor = open.keyBlock.hash
    offerMicroblocks({
      ...this.#given,
      open,
      gateways,
      settings: this.#settings,
      nowMs,
      number: (hashes) => {
        this.#offered.set(++this.#lastId, hashes)
        return this.#lastId
      },
    })
  }
}

function isBehind(gateway: GatewayEnd, keyBlockHash: Hash): boolean {
  const stand = gateway.stand()
  return stand !== null && stand.staked > 0 && stand.keyBlockHash !== keyBlockHash
}
