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
  /** Returns `open`, or what is wrong with the line to the leader; null where this process leads, or nobody does. */
  readonly condition: () => string | null
  /** Idempotent. */
  readonly close: () => Promise<void>
}

export const createLines = (parameters: LinesParameters): Lines => new GatewayLines(parameters)

/** Without a line for so long, an operator is told, in ms. A new leader takes a moment before it lets anybody in. */
const APART_MS = 3000
/** A line that was open for so long is not one that is cut at once, in ms. One that says nothing is cut after five seconds. */
const STEADY_MS = 10_000
/** Lines cut one after the other, none of them open for so long, of which an operator is told. */
const MANY_CUTS = 3

/** Troubles of a line since it was steady last. */
type Unsteadiness = {
  /** Since when there is no line, by `performance.now()`; while there is one, since when there was none before. */
  sinceMs: number
  /** Lines that were opened, and cut before they were steady. */
  cuts: number
  /** Reason of the last failure, if it is known. */
  reason: string | null
  isSaid: boolean
}

const fresh = (): Unsteadiness => ({ sinceMs: performance.now(), cuts: 0, reason: null, isSaid: false })

class GatewayLines implements Lines {
  readonly #name = randomUUID()
  readonly #given: LinesParameters
  #server: LineServer | null = null
  #secret: string | null = null
  /** While this process leads. */
  #own: ConnectedGateway | null = null
  #line: { readonly address: LineAddress; readonly open: OpenLine } | null = null
  /** Null while there is no leader elsewhere, and once the line to it has been open for long enough. */
  #unsteady: Unsteadiness | null = null
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
    this.#unsteady = null
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
    if (isSame && open?.isClosed() !== true) {
      this.#noteSteady()
      return
    }
    // Another leader has time of its own.
    if (isSame) this.#noteEnd(open)
    else if (this.#unsteady?.isSaid === false) this.#unsteady = null
    this.#leave()
    if (address === null) return
    this.#noteMissing(address)
    const parameters = { ...this.#given, name: this.#name, onOpen: () => this.#noteOpen() }
    this.#line = { address, open: openLine(address, parameters) }
  }

  readonly minersOnline = (): readonly OnlineMiner[] => {
    const { gateway, leader } = this.#given
    const elsewhere =
      this.#own === null ? (this.#line?.open.minersElsewhere() ?? []) : leader.minersOnline(gateway)
    return [...gateway.minersOnline(), ...elsewhere]
  }

  readonly condition = (): string | null => {
    if (this.#line === null) return null
    const { open } = this.#line
    const isOpen = open.openMs() !== null && !open.isClosed()
    const { cuts, sinceMs, reason } = this.#unsteady ?? fresh()
    const missingMs = isOpen ? 0 : Math.round(performance.now() - sinceMs)
    const why = reason === null ? '' : `: ${reason}`
    if (cuts >= MANY_CUTS && missingMs < APART_MS) return `opened and cut ${cuts} times in a row${why}`
    return isOpen ? 'open' : `not open for ${missingMs} ms${why}`
  }

  readonly close = async (): Promise<void> => {
    this.#resign()
    this.#leave()
    this.#isClosed = true
    const server = this.#server
    this.#server = null
    await server?.close()
  }

  /** Takes note of a line that is closed. */
  #noteEnd(open: OpenLine | undefined): void {
    if (open === undefined) return
    const openMs = open.openMs()
    if (openMs !== null && openMs >= STEADY_MS) this.#noteSteady()
    this.#unsteady ??= fresh()
    this.#unsteady.reason = open.failure() ?? (openMs === null ? this.#unsteady.reason : null)
    if (openMs === null) return
    this.#unsteady.cuts++
    this.#unsteady.sinceMs = performance.now()
  }

  /** Writes one warning if the line cannot be opened, or is cut again and again. */
  #noteMissing(address: LineAddress): void {
    this.#unsteady ??= fresh()
    const { cuts, sinceMs, reason, isSaid } = this.#unsteady
    const isMissing = performance.now() - sinceMs >= APART_MS
    if (isSaid || (!isMissing && cuts < MANY_CUTS)) return
    this.#unsteady.isSaid = true
    this.#given.logger.warn(
      isMissing
        ? 'the line to the leader cannot be opened, so miners here are offered nothing'
        : 'the line to the leader is cut again and again, so miners here are offered little',
      { place: formatLinePlace(address), reason },
    )
  }

  /** One that was missing is there at once; one that was cut again and again has to stay first. */
  #noteOpen(): void {
    if (this.#unsteady !== null && this.#unsteady.cuts < MANY_CUTS) this.#noteGood()
  }

  #noteSteady(): void {
    if (this.#unsteady === null || (this.#line?.open.openMs() ?? 0) < STEADY_MS) return
    this.#noteGood()
    this.#unsteady = null
  }

  #noteGood(): void {
    if (this.#unsteady?.isSaid !== true) return
    this.#unsteady.isSaid = false
    this.#given.logger.info('the line to the leader is open again')
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
