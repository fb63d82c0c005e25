import { timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenAt } from '@hailstone/fault-injection'
import type { Hash } from '@hailstone/protocol'
import type { WebSocket } from 'ws'
import type { AddedMicroblock, BlockProducer } from '../chain/block-producer.ts'
import type { SignedTransactions } from '../chain/signed-transactions.ts'
import type { Clock } from '../clock.ts'
import { WebSocketServer } from '../gateway/web-socket-server.ts'
import { createUpgradeServer } from '../http/request-limits.ts'
import type { ConnectedGateway, Leader } from '../leader/create-leader.ts'
import type { GatewayEnd, Offer, ReceivedHail, Seat, Stand } from '../leader/gateway-end.ts'
import { type Logger, reasonOf } from '../logger.ts'
import { GATEWAY_HEADER, LINE_PATH } from './line-address.ts'
import {
  formatToGateway,
  type MessageToGateway,
  type MessageToLeader,
  parseToLeader,
  type ReportedStand,
  receiveChange,
  receiveHail,
  receivePublication,
  receiveStand,
  sendHail,
  sendMiners,
  sendOffer,
  sendSeat,
} from './line-messages.ts'
import { createRestingMiners, type RestingMiners } from './resting-miners.ts'
import { type Line, watchLine } from './watch-line.ts'

export type LineServerParameters = {
  readonly host: string
  readonly leader: Leader
  readonly producer: Pick<BlockProducer, 'on'>
  readonly signed: Pick<SignedTransactions, 'isKnown'>
  readonly clock: Pick<Clock, 'now'>
  /** Shortest time between two beacons to one miner. */
  readonly beaconIntervalMs: number
  /** Returns the text that opens a line; null while this process does not lead. */
  readonly secret: () => string | null
  readonly logger: Logger
}

export type LineServer = {
  readonly port: number
  /** Cuts every line. */
  readonly dismissAll: () => void
  readonly close: () => Promise<void>
}

/** Connections that have not shown the secret. From there on the oldest is cut: a stranger keeps no gateway away. */
const MAX_STRANGERS = 512
/** Of 500 claims some 250 kB. Sums of weights are longer where many miners name tokens of their own. */
const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024

/** Longest time that the outcome of a publication waits for offers to share a frame with, in ms. */
const TAKEN_WITHIN_MS = 100

/** Listens for the gateways of other processes. @throws {NodeError} `SOCKET_FAILED` */
export async function serveLine(parameters: LineServerParameters): Promise<LineServer> {
  const { host, producer, secret } = parameters
  const lines = new Set<GatewayLine>()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    clientTracking: false,
  })
  const server = createUpgradeServer(404)
  const strangers = new Set<Duplex>()
  server.on('connection', (stream: Duplex) => {
    strangers.add(stream)
    stream.once('close', () => strangers.delete(stream))
    const [oldest] = strangers.size > MAX_STRANGERS ? strangers : []
    oldest?.destroy()
    if (oldest !== undefined) strangers.delete(oldest)
  })
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy())
    if (request.url !== LINE_PATH || !isOpenedBy(request, secret())) refuse(stream)
    else {
      strangers.delete(stream)
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const name = request.headers[GATEWAY_HEADER] ?? null
        // Its end of the one before is closed, which may not be known here yet.
        for (const before of lines) if (name !== null && before.name === name) before.end()
        const line: GatewayLine = new GatewayLine(socket, { ...parameters, name }, () => lines.delete(line))
        lines.add(line)
      })
    }
  })
  const tell = (): void => {
    for (const line of lines) line.beat()
  }
  const stopTelling = [producer.on('macroblockClosed', tell), producer.on('reorganised', tell)]
  await listenAt(server, { host, port: 0, scheme: 'ws' })
  const dismissAll = (): void => {
    for (const line of lines) line.cut()
  }
  return {
    port: (server.address() as AddressInfo).port,
    dismissAll,
    async close() {
      for (const stop of stopTelling) stop()
      dismissAll()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isOpenedBy({ headers }: IncomingMessage, secret: string | null): boolean {
  if (secret === null) return false
  const [given, wanted] = [headers.authorization ?? '', `Bearer ${secret}`].map((text) => Buffer.from(text))
  return given !== undefined && wanted !== undefined && given.length === wanted.length
    ? timingSafeEqual(given, wanted)
    : false
}

function refuse(stream: Duplex): void {
  stream.end(`HTTP/1.1 403 ${STATUS_CODES[403]}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`, () =>
    stream.destroy(),
  )
}

type NamedLineParameters = LineServerParameters & {
  /** That the gateway gives itself; null for none. */
  readonly name: string | readonly string[] | null
}

type Question<Answer> = (answer: Answer) => void

/** A gateway of another process, as the leader knows it. */
class GatewayLine implements GatewayEnd {
  readonly #given: LineServerParameters
  readonly #line: Line
  readonly #connected: ConnectedGateway
  #reported: ReportedStand | null = null
  readonly #resting: RestingMiners
  /** Offers of the open macroblock by number: a publication names the offer alone. */
  readonly #offers = new Map<number, Offer>()
  #offeredFor: Hash | null = null
  readonly #unanswered = new Map<number, Question<bigint | null>>()
  readonly #contests = new Map<number, Question<boolean>>()
  readonly #hails = new Map<number, { readonly seat: Seat; readonly answer: Question<ReceivedHail | null> }>()
  #lastQuestion = 0

  readonly name: NamedLineParameters['name']

  constructor(socket: WebSocket, given: NamedLineParameters, onClosed: () => void) {
    this.#given = given
    this.name = given.name
    this.#resting = createRestingMiners(given)
    this.#connected = given.leader.connect(this)
    this.#line = watchLine(socket, {
      heard: (text) => this.#hear(parseToLeader(text)),
      beat: () => this.beat(),
      closed: () => {
        onClosed()
        this.#end()
      },
      failed: (error) => given.logger.debug('the line of a gateway failed', { reason: reasonOf(error) }),
    })
    this.beat()
  }

  readonly stand = (): Stand | null => {
    const reported = this.#reported
    return (
      reported && {
        ...reported,
        rested: (isStaked) => this.#resting.takeOff(reported.all(isStaked), isStaked),
      }
    )
  }

  readonly offer: GatewayEnd['offer'] = (offer, answer) => {
    if (this.#offeredFor !== offer.keyBlockHash) this.#offers.clear()
    this.#offeredFor = offer.keyBlockHash
    this.#offers.set(offer.id, offer)
    this.#unanswered.set(offer.id, answer)
    this.#resting.begin(offer, this.stand()?.rested(offer.isStaked).get(offer.tokenId))
    this.#send(sendOffer(offer, this.#given.signed.isKnown))
  }

  readonly contest: GatewayEnd['contest'] = (seat, hail, answer) => {
    const number = ++this.#lastQuestion
    this.#contests.set(number, answer)
    const sent = hail === null ? null : sendHail(hail)
    this.#send({ kind: 'contest', number, seat: sendSeat(seat), hail: sent })
  }

  readonly hailOf: GatewayEnd['hailOf'] = (seat, answer) => {
    const number = ++this.#lastQuestion
    this.#hails.set(number, { seat, answer })
    this.#send({ kind: 'hailOf', number, seat: sendSeat(seat) })
  }

  readonly evict: GatewayEnd['evict'] = (seat) => this.#send({ kind: 'evict', seat: sendSeat(seat) })

  /** Says that the leader is there, and how far. */
  readonly beat = (): void => this.#send({ kind: 'tip', minersVersion: this.#given.leader.minersVersion() })

  readonly cut = (): void => this.#line.cut()

  /** Forgets the gateway at once, rather than when the end of the connection is known. */
  readonly end = (): void => {
    this.#end()
    this.cut()
  }

  #send(message: MessageToGateway, withinMs?: number): void {
    this.#line.send(formatToGateway(message), withinMs)
  }

  #hear(message: MessageToLeader): void {
    const { leader } = this.#given
    if (message.kind === 'stand') this.#reported = receiveStand(message)
    else if (message.kind === 'seats') this.#seat(message)
    else if (message.kind === 'answer') this.#answer(message)
    else if (message.kind === 'publish') this.#publish(message)
    else if (message.kind === 'contested') answerOf(this.#contests, message.number)?.(message.isEmpty)
    else if (message.kind === 'hail') this.#tellHail(message)
    else this.#send(sendMiners(leader.minersVersion(), leader.minersOnline(this)))
  }

  #seat({ changes }: Extract<MessageToLeader, { kind: 'seats' }>): void {
    for (const change of changes) {
      const seat = receiveChange(change)
      if ('hail' in seat) this.#connected.claim(seat)
      else this.#connected.leave(seat)
    }
  }

  #tellHail({ number, hail }: Extract<MessageToLeader, { kind: 'hail' }>): void {
    const question = this.#hails.get(number)
    this.#hails.delete(number)
    if (question !== undefined) question.answer(hail && receiveHail(question.seat.address, hail))
  }

  #publish(message: Extract<MessageToLeader, { kind: 'publish' }>): void {
    const { offerId } = message
    const offer = this.#offers.get(offerId)
    const taken = (outcome: AddedMicroblock): void =>
      this.#send({ kind: 'taken', offerId, outcome }, TAKEN_WITHIN_MS)
    if (offer === undefined) taken('late')
    else this.#connected.publish({ offerId, microblock: receivePublication(message, offer) }, taken)
  }

  #answer({ offerId, weight }: Extract<MessageToLeader, { kind: 'answer' }>): void {
    const known = weight === null ? null : BigInt(weight)
    this.#resting.correct(offerId, known)
    answerOf(this.#unanswered, offerId)?.(known)
  }

  #end(): void {
    this.#reported = null
    this.#connected.end()
    for (const answer of this.#unanswered.values()) answer(null)
    // The sessions of a gateway that is gone are gone with it, as far as anybody can tell.
    for (const answer of this.#contests.values()) answer(true)
    for (const { answer } of this.#hails.values()) answer(null)
    this.#hails.clear()
    this.#unanswered.clear()
    this.#contests.clear()
  }
}

function answerOf<Answer>(
  questions: Map<number, Question<Answer>>,
  number: number,
): Question<Answer> | undefined {
  const answer = questions.get(number)
  questions.delete(number)
  return answer
}
