import { type Transaction, transactionHash } from '@hailstone/protocol'
import type { WebSocket as Socket } from 'ws'
import type { AddedMicroblock } from '../chain/block-producer.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { SignedTransactions } from '../chain/signed-transactions.ts'
import type { Gateway } from '../gateway/create-gateway.ts'
import type { OnlineMiner } from '../gateway/online-miner.ts'
import type { GatewayEnd, LeaderEnd } from '../leader/gateway-end.ts'
import { type Logger, reasonOf } from '../logger.ts'
import { GATEWAY_HEADER, LINE_PATH, type LineAddress } from './line-address.ts'
import {
  formatToLeader,
  type MessageToGateway,
  type MessageToLeader,
  parseToGateway,
  receiveHail,
  receiveMiners,
  receiveOffer,
  receiveSeat,
  sendClaim,
  sendHail,
  sendPublication,
  sendSeat,
  sendStand,
} from './line-messages.ts'
import { BEAT_MS, watchLine } from './watch-line.ts'
import { WebSocket } from './web-socket.ts'

export type LineParameters = {
  /** Of this gateway, unlike that of any other. */
  readonly name: string
  readonly onOpen: () => void
  readonly gateway: Pick<Gateway, 'follow' | keyof GatewayEnd>
  /** Has an offered transaction as an object that is verified once, if it is there. */
  readonly mempool: Pick<Mempool, 'get'>
  readonly signed: Pick<SignedTransactions, 'note'>
  /** Shortest time between two messages about the miners. */
  readonly standIntervalMs: number
  /** Called when the leader has closed a macroblock, and once a second. */
  readonly onTip: () => void
  readonly logger: Logger
}

/** The line of this process's gateway to a leader that is another process. */
export type OpenLine = {
  /** Miners of other gateways, as they were known last. */
  readonly minersElsewhere: () => readonly OnlineMiner[]
  readonly isClosed: () => boolean
  /** Reason of its last failure; null before one. */
  readonly failure: () => string | null
  /** Returns how long it is open, or was until it was cut, in ms; null if it never was. */
  readonly openMs: () => number | null
  /** Sends the leader the list of this gateway's miners now, without waiting for the next macroblock. */
  readonly tellStand: () => void
  readonly close: () => void
}

const HANDSHAKE_MS = 2000
/** The list of all miners is the longest message: 100,000 have 7 MB. */
const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024
/** Hails of so long a time are told together. */
const GATHER_MS = 10
/** Longest time that the answer to an offer, or a publication, waits for others to share a frame with, in ms. */
const PUBLISH_WITHIN_MS = 5
const MAX_CHANGES = 500
/** The list of miners is fetched once a second at most, a long one once in a second for each so many. */
const MINERS_PER_SECOND = 2000

type Change = Extract<MessageToLeader, { kind: 'seats' }>['changes'][number]

/** Opens a line. It is to be opened anew when it is closed, by whoever knows if the same process still leads. */
export function openLine(address: LineAddress, parameters: LineParameters): OpenLine {
  return new LeaderLine(address, parameters)
}

class LeaderLine implements OpenLine, LeaderEnd {
  readonly #given: LineParameters
  readonly #socket: Socket
  readonly #line: ReturnType<typeof watchLine>
  #isOpen = false
  /** By `performance.now()`. */
  #openedAtMs = 0
  #closedAtMs: number | null = null
  #failure: string | null = null
  #isClosed = false
  /** Made when they are sent: a claim says how old it is. */
  #changes: (() => Change)[] = []
  #gathering: NodeJS.Timeout | undefined
  #standing: NodeJS.Timeout | undefined
  #lastStand = ''
  readonly #publications = new Map<number, (outcome: AddedMicroblock) => void>()
  #miners: readonly OnlineMiner[] = []
  #minersVersion = -1
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor({ host, port, secret }: LineAddress, given: LineParameters) {
    this.#given = given
    const urlHost = host.includes(':') ? `[${host}]` : host
    const socket = new WebSocket(`ws://${urlHost}:${port}${LINE_PATH}`, {
      headers: { authorization: `Bearer ${secret}`, [GATEWAY_HEADER]: given.name },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: LARGEST_MESSAGE_BYTES,
      perMessageDeflate: false,
    })
    this.#socket = socket
    this.#line = watchLine(socket, {
      heard: (text) => this.#hear(parseToGateway(text)),
      beat: () => this.#tellStand(true),
      closed: () => this.#end(),
      failed: (error) => {
        this.#failure = reasonOf(error)
        given.logger.debug('the line to the leader failed', { reason: this.#failure })
      },
    })
    socket.once('open', () => {
      this.#isOpen = true
      this.#openedAtMs = performance.now()
      given.onOpen()
      given.gateway.follow(this)
      this.#tellStand(true)
      this.#standing = setInterval(() => this.#tellStand(false), given.standIntervalMs)
    })
  }

  readonly minersElsewhere = (): readonly OnlineMiner[] => this.#miners

  readonly isClosed = (): boolean => this.#isClosed

  readonly failure = (): string | null => this.#failure

  readonly openMs = (): number | null =>
    this.#isOpen ? (this.#closedAtMs ?? performance.now()) - this.#openedAtMs : null

  readonly tellStand = (): void => this.#tellStand(false)

  readonly close = (): void => {
    this.#end()
    this.#socket.terminate()
  }

  readonly claim: LeaderEnd['claim'] = (claim) => {
    const since = performance.now()
    this.#change(() => sendClaim({ ...claim, ageMs: claim.ageMs + performance.now() - since }))
  }

  readonly leave: LeaderEnd['leave'] = (seat) => this.#change(() => sendSeat(seat))

  readonly publish: LeaderEnd['publish'] = ({ offerId, microblock }, answer) => {
    if (this.#isClosed) {
      answer('late')
      return
    }
    this.#publications.set(offerId, answer)
    this.#send(sendPublication(offerId, microblock), PUBLISH_WITHIN_MS)
  }

  #send(message: MessageToLeader, withinMs?: number): void {
    this.#line.send(formatToLeader(message), withinMs)
  }

  #hear(message: MessageToGateway): void {
    // What was on its way when the line was closed is of a lead that is over.
    if (this.#isClosed) return
    const { gateway, onTip } = this.#given
    if (message.kind === 'offer') {
      const offer = receiveOffer(message, (one, isVerified) => this.#transaction(one, isVerified))
      gateway.offer(offer, (weight) => {
        const answer = {
          kind: 'answer',
          offerId: offer.id,
          weight: weight === null ? null : String(weight),
        } as const
        // What nobody got is offered to others.
        this.#send(answer, weight === null ? 0 : PUBLISH_WITHIN_MS)
      })
    } else if (message.kind === 'taken') {
      this.#publications.get(message.offerId)?.(message.outcome)
      this.#publications.delete(message.offerId)
    } else if (message.kind === 'contest') {
      const { number } = message
      const seat = receiveSeat(message.seat)
      const hail = message.hail === null ? null : receiveHail(seat.address, message.hail)
      gateway.contest(seat, hail, (isEmpty) => this.#send({ kind: 'contested', number, isEmpty }))
    } else if (message.kind === 'hailOf') {
      const { number, seat } = message
      gateway.hailOf(receiveSeat(seat), (hail) =>
        this.#send({ kind: 'hail', number, hail: hail && sendHail(hail) }),
      )
    } else if (message.kind === 'evict') gateway.evict(receiveSeat(message.seat))
    else if (message.kind === 'miners') {
      this.#miners = receiveMiners(message)
      this.#minersVersion = message.version
    } else {
      this.#askWho(message.minersVersion)
      onTip()
    }
  }

  #askWho(version: number): void {
    const restMs = Math.max(BEAT_MS, (this.#miners.length / MINERS_PER_SECOND) * 1000)
    const now = performance.now()
    if (version === this.#minersVersion || now - this.#askedAtMs < restMs) return
    this.#askedAtMs = now
    this.#send({ kind: 'who' })
  }

  /** One that the leader has not verified is verified here once, if the pool of this process has it. */
  #transaction(sent: Transaction, isVerified: boolean): Transaction {
    const { mempool, signed } = this.#given
    if (isVerified) {
      signed.note(sent)
      return sent
    }
    const known = mempool.get(transactionHash(sent))?.transaction
    return known?.signature === sent.signature ? known : sent
  }

  #tellStand(isDue: boolean): void {
    const stand = this.#isOpen && !this.#isClosed ? this.#given.gateway.stand() : null
    if (stand === null) return
    const text = formatToLeader(sendStand(stand))
    if (!isDue && text === this.#lastStand) return
    this.#lastStand = text
    this.#line.send(text)
  }

  #change(change: () => Change): void {
    if (this.#isClosed) return
    this.#changes.push(change)
    this.#gathering ??= setTimeout(() => this.#tellChanges(), GATHER_MS)
  }

  #tellChanges(): void {
    this.#gathering = undefined
    const changes = this.#changes.map((make) => make())
    this.#changes = []
    for (let at = 0; at < changes.length; at += MAX_CHANGES)
      this.#send({ kind: 'seats', changes: changes.slice(at, at + MAX_CHANGES) })
  }

  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closedAtMs = performance.now()
    clearTimeout(this.#gathering)
    clearInterval(this.#standing)
    if (this.#isOpen) this.#given.gateway.follow(null)
    for (const answer of this.#publications.values()) answer('late')
    this.#publications.clear()
  }
}
