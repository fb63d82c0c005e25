import type { AddressInfo } from 'node:net'
import {
  type Address,
  type ClientMessage,
  DUPLICATE_KEY,
  formatPeer,
  formatRefusal,
  NodeError,
  parseClientMessage,
  type VerifyText,
  WRONG_VERSION,
} from '@hailstone/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { KeepAlive } from '../chain/keep-alive.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { Random } from '../chain/selection.ts'
import type { Clock } from '../clock.ts'
import type { NetworkParameters } from '../genesis.ts'
import type { LedgerState } from '../ledger/ledger-state.ts'
import { type Logger, reasonOf } from '../logger.ts'
import { feedMiners } from './feed-miners.ts'
import { type GatewayOptions, gatewaySettings } from './gateway-options.ts'
import { isHailSigned, readIntroduction } from './hail.ts'
import { judgePublication, type StakeRules } from './judge-publication.ts'
import { openSession } from './open-session.ts'
import { formatProbe } from './probe.ts'
import { hasMiner, type MinerSession, type Session } from './session.ts'

export type GatewayParameters = {
  readonly producer: BlockProducer
  readonly mempool: Mempool
  readonly keepAlive: KeepAlive | null
  readonly ledger: LedgerState
  readonly network: NetworkParameters
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly verify: VerifyText
  readonly options?: GatewayOptions | undefined
}

/** The proof-of-activity gateway: introduces miners, offers them microblocks, takes their signatures. */
export type Gateway = {
  /** @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
  readonly listen: (at: {
    readonly host: string
    readonly port: number
  }) => Promise<{ readonly port: number }>
  /** One entry for each connection that has introduced itself. */
  readonly minersOnline: () => readonly { readonly address: Address }[]
  /** Sends "connect to another address instead"; false when the miner is not connected. */
  readonly sendPeer: (address: string, host: string, port: number) => boolean
  /** Sends an empty beacon that must not be answered; false when the miner is not connected. */
  readonly sendProbe: (address: string) => boolean
  /** Cuts a miner's connection without a word; false when it is not connected. */
  readonly disconnect: (address: string) => boolean
  /** Cuts all connections. Idempotent. */
  readonly stop: () => Promise<void>
}

/** Every honest frame of a miner is far smaller; a larger one closes its own connection with code 1009. */
const LARGEST_FRAME_BYTES = 64 * 1024

export function createGateway(parameters: GatewayParameters): Gateway {
  return new ProofOfActivityGateway(parameters)
}

class ProofOfActivityGateway implements Gateway {
  readonly #given: GatewayParameters
  readonly #settings: ReturnType<typeof gatewaySettings>
  readonly #sessions = new Map<
    number,
    { readonly session: Session; readonly socket: WebSocket; host: string }
  >()
  readonly #stakes: StakeRules
  #server: WebSocketServer | null = null
  #nextId = 1
  #cancelFeed: () => void = () => {}
  #cancelPing: () => void = () => {}

  constructor(parameters: GatewayParameters) {
    this.#given = parameters
    this.#settings = gatewaySettings(parameters.options ?? {})
    this.#stakes = stakeRulesOf(parameters.ledger)
  }

  readonly listen = async ({ host, port }: { host: string; port: number }): Promise<{ port: number }> => {
    const server = new WebSocketServer({ host, port, maxPayload: LARGEST_FRAME_BYTES })
    await listening(server, host, port)
    this.#server = server
    server.on('error', (error) =>
      this.#given.logger.error('the gateway socket failed', { reason: reasonOf(error) }),
    )
    server.on('connection', (socket, request) => this.#welcome(socket, request.headers.host ?? ''))
    this.#feedLater()
    this.#pingLater()
    return { port: (server.address() as AddressInfo).port }
  }

  readonly minersOnline = (): readonly { readonly address: Address }[] =>
    this.#miners().map(({ miner }) => ({ address: miner.address }))

  readonly sendPeer = (address: string, host: string, port: number): boolean =>
    this.#withMiner(address, (session) => session.send(formatPeer({ host, port })))

  readonly sendProbe = (address: string): boolean =>
    this.#withMiner(address, (session) => this.#probe(session))

  readonly disconnect = (address: string): boolean =>
    this.#withMiner(address, (session) => session.terminate())

  readonly stop = async (): Promise<void> => {
    this.#cancelFeed()
    this.#cancelPing()
    const server = this.#server
    this.#server = null
    for (const { session } of this.#sessions.values()) session.terminate()
    if (server !== null) await new Promise((resolve) => server.close(resolve))
  }

  #miners(): readonly MinerSession[] {
    return Array.from(this.#sessions.values(), ({ session }) => session).filter(hasMiner)
  }

  #withMiner(address: string, act: (session: MinerSession) => void): boolean {
    const session = this.#miners().find(({ miner }) => miner.address === address)
    if (session !== undefined) act(session)
    return session !== undefined
  }

  #welcome(socket: WebSocket, host: string): void {
    const { logger } = this.#given
    const session = openSession({
      socket,
      id: this.#nextId++,
      onMessage: (from, text) => this.#hear(from, parseClientMessage(text)),
      onClose: ({ id }) => this.#sessions.delete(id),
      onError: ({ id }, error) => logger.debug('a connection failed', { session: id, reason: error.message }),
    })
    this.#sessions.set(session.id, { session, socket, host: host.replace(/:\d+$/, '') })
    logger.debug('a miner connected', { session: session.id })
  }

  #hear(session: Session, message: ClientMessage): void {
    // Frames that are no JSON objects are ignored, as on the public network. So is everything after a fault.
    if (message.kind === 'nonsense' || session.score === 0) return
    if (!message.hasVersion) this.#refuse(session, WRONG_VERSION)
    else if (message.kind === 'hail') this.#introduce(session, message)
    else if (message.kind === 'publish') this.#judge(session, message)
  }

  #refuse(session: Session, code: string): void {
    this.#given.logger.info('a miner was refused', { session: session.id, code })
    session.miner = null
    session.dismiss(formatRefusal(code))
  }

  #introduce(session: Session, { data }: Extract<ClientMessage, { kind: 'hail' }>): void {
    const { network, logger, verify } = this.#given
    const introduction = readIntroduction(data, network.ledger.nativeTokenId)
    if (introduction === null) return
    const host = this.#sessions.get(session.id)?.host ?? ''
    if (this.#settings.strictHail && !isHailSigned({ data, host, verify })) {
      logger.warn('a hail was not signed', { session: session.id, address: introduction.address })
      session.terminate()
      return
    }
    // The new connection wins; a second hail on the same connection finds itself (PROTOCOL 5.3).
    const older = this.#miners().find(({ miner }) => miner.address === introduction.address)
    if (older !== undefined) this.#refuse(older, DUPLICATE_KEY)
    if (older === session) return
    session.miner = introduction
    logger.info('a miner introduced itself', { session: session.id, ...introduction })
    if (this.#settings.probesFirst && hasMiner(session)) this.#probe(session)
  }

  #probe({ miner, send }: MinerSession): void {
    const { network, random } = this.#given
    send(formatProbe({ leaderId: network.leaderId, publisher: miner.address, random }))
  }

  #judge(session: Session, message: Extract<ClientMessage, { kind: 'publish' }>): void {
    const { producer, verify, logger } = this.#given
    const judgement = judgePublication({
      ...message,
      hailedAs: session.miner?.address ?? null,
      outstanding: session.outstanding,
      stakes: this.#stakes,
      isStored: producer.hasMicroblock,
      verify,
    })
    const who = { session: session.id, address: session.miner?.address }
    if (judgement.verdict === 'accepted') {
      const { microblock } = judgement
      const added = producer.addMicroblock(microblock)
      logger.info('a microblock was published', { ...who, microblock: microblock.hash, added })
      if (session.miner !== null) session.miner = { ...session.miner, tokenId: microblock.tokenId }
    } else if (judgement.verdict === 'refused') {
      session.score = 0
      logger.warn('a publication was refused', { ...who, reason: judgement.reason })
    } else if (judgement.verdict === 'ignored') {
      logger.debug('a publication was ignored', { ...who, reason: judgement.reason })
    }
  }

  #feedLater(): void {
    this.#cancelFeed = this.#given.clock.after(this.#settings.feederIntervalMs, () => {
      try {
        this.#feed()
      } catch (error) {
        // One bad round must not end the rounds.
        this.#given.logger.error('a round of the feeder failed', { reason: reasonOf(error) })
      }
      if (this.#server !== null) this.#feedLater()
    })
  }

  #feed(): void {
    for (const { session } of this.#sessions.values()) if (session.score === 0) this.#drop(session)
    const open = this.#given.producer.openMacroblock()
    if (open === null) return
    const { clock } = this.#given
    feedMiners({ ...this.#given, open, miners: this.#miners(), settings: this.#settings, nowMs: clock.now() })
  }

  #drop(session: Session): void {
    this.#given.logger.warn('a miner was cut off for its score', {
      session: session.id,
      address: session.miner?.address,
    })
    this.#sessions.delete(session.id)
    session.terminate()
  }

  #pingLater(): void {
    this.#cancelPing = this.#given.clock.after(this.#settings.pingIntervalMs, () => {
      for (const { session, socket } of this.#sessions.values()) {
        if (!session.isAlive) session.terminate()
        else if (socket.readyState === socket.OPEN) {
          session.isAlive = false
          socket.ping()
        }
      }
      if (this.#server !== null) this.#pingLater()
    })
  }
}

const stakeRulesOf = (ledger: LedgerState): StakeRules => ({
  minimumStake(tokenId) {
    const token = ledger.token(tokenId as never)
    return token === undefined ? undefined : (token.mining?.minimumStake ?? null)
  },
  balance: ledger.balance,
})

function listening(server: WebSocketServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new NodeError('PORT_IN_USE', { host, port })
          : new NodeError('SOCKET_FAILED', { url: `ws://${host}:${port}`, reason: error.message }),
      )
    })
  })
}
