import { randomUUID } from 'node:crypto'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { SignedTransactions } from '../chain/signed-transactions.ts'
import type { Clock } from '../clock.ts'
import type { Gateway } from '../gateway/create-gateway.ts'
import type { OnlineMiner } from '../gateway/online-miner.ts'
import type { ConnectedGateway, Leader } from '../leader/create-leader.ts'
import type { Logger } from '../logger.ts'
import { formatLinePlace, type LineAddress } from './line-address.ts'
import { type OpenLine, openLine } from './open-line.ts'
import { type LineServer, serveLine } from './serve-line.ts'

export type LinesParameters = {
  readonly gateway: Gateway
  readonly leader: Leader
  readonly producer: BlockProducer
  readonly mempool: Pick<Mempool, 'get'>
  readonly signed: SignedTransactions
  readonly clock: Clock
  /** Shortest time between two beacons to one miner. */
  readonly beaconIntervalMs: number
  /** Shortest time between two messages about the miners of this process. */
  readonly standIntervalMs: number
  /** Called when another process that leads has closed a macroblock, and once a second. */
  readonly onTip: () => void
  readonly logger: Logger
}

/** Lines between the gateways of all processes and the one that leads. */
export type Lines = {
  /** Listens for gateways of other processes, whether this one leads or not. @throws {NodeError} `SOCKET_FAILED` */
  readonly listen: (host: string) => Promise<{ readonly port: number }>
  /** Joins the gateway of this process to its leader, and lets others in that have the secret. Idempotent. */
  readonly lead: (secret: string) => void
  /** Joins it to another leader, anew where the line is closed; to none with null. */
  readonly follow: (address: LineAddress | null) => void
  /** Miners of all gateways, as far as this process knows them. */
  readonly minersOnline: () => readonly OnlineMiner[]
  /** Idempotent. */
  readonly close: () => Promise<void>
}

export const createLines = (parameters: LinesParameters): Lines => new GatewayLines(parameters)

/** Without a line for so long, an operator is told, in ms. A new leader takes a moment before it lets anybody in. */
const APART_MS = 3000

class GatewayLines implements Lines {
  readonly #name = randomUUID()
  readonly #given: LinesParameters
  #server: LineServer | null = null
  #secret: string | null = null
  /** While this process leads. */
  #own: ConnectedGateway | null = null
  #line: { readonly address: LineAddress; readonly open: OpenLine } | null = null
  /** Since when there is a leader and no line to it, by `performance.now()`. */
  #apart: { readonly sinceMs: number; isSaid: boolean } | null = null
  #isClosed = false

  constructor(parameters: LinesParameters) {
    this.#given = parameters
    // The leader offers nothing to miners that are weighed by another macroblock than its own.
    parameters.producer.on('macroblockClosed', () => this.#line?.open.tellStand())
  }

  readonly listen: Lines['listen'] = async (host) => {
    this.#server = await serveLine({ ...this.#given, host, secret: () => this.#secret })
    return { port: this.#server.port }
  }

  readonly lead = (secret: string): void => {
    if (this.#isClosed) return
    this.#leave()
    this.#apart = null
    this.#secret = secret
    this.#own ??= this.#given.leader.connect(this.#given.gateway)
    this.#given.gateway.follow(this.#own)
  }

  readonly follow = (address: LineAddress | null): void => {
    if (this.#isClosed) return
    this.#resign()
    const { address: before, open } = this.#line ?? {}
    const isSame =
      address?.host === before?.host && address?.port === before?.port && address?.secret === before?.secret
    if (isSame && open?.isClosed() !== true) return
    const failure = open?.failure() ?? null
    this.#leave()
    // Another leader has time of its own.
    if (!isSame && this.#apart?.isSaid === false) this.#apart = null
    if (address === null) return
    this.#noteApart(address, failure)
    const parameters = { ...this.#given, name: this.#name, onOpen: () => this.#noteOpen() }
    this.#line = { address, open: openLine(address, parameters) }
  }

  readonly minersOnline = (): readonly OnlineMiner[] => {
    const { gateway, leader } = this.#given
    const elsewhere =
      this.#own === null ? (this.#line?.open.minersElsewhere() ?? []) : leader.minersOnline(gateway)
    return [...gateway.minersOnline(), ...elsewhere]
  }

  readonly close = async (): Promise<void> => {
    this.#resign()
    this.#leave()
    this.#isClosed = true
    const server = this.#server
    this.#server = null
    await server?.close()
  }

  #noteApart(address: LineAddress, reason: string | null): void {
    this.#apart ??= { sinceMs: performance.now(), isSaid: false }
    if (this.#apart.isSaid || performance.now() - this.#apart.sinceMs < APART_MS) return
    this.#apart.isSaid = true
    this.#given.logger.warn('the line to the leader cannot be opened, so miners here are offered nothing', {
      place: formatLinePlace(address),
      reason,
    })
  }

  #noteOpen(): void {
    if (this.#apart?.isSaid === true) this.#given.logger.info('the line to the leader is open again')
    this.#apart = null
  }

  #leave(): void {
    this.#line?.open.close()
    this.#line = null
  }

  #resign(): void {
    if (this.#own === null) return
    this.#own.end()
    this.#own = null
    this.#secret = null
    this.#given.gateway.follow(null)
    this.#server?.dismissAll()
  }
}
