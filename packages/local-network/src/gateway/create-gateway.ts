import type { IncomingMessage } from 'node:http'
import { type FaultLayers, type Listener, RANK } from '@hailstone/fault-injection'
import {
  judgePublication,
  type LedgerState,
  type NetworkParameters,
  type StakeRules,
} from '@hailstone/ledger'
import {
  type ClientMessage,
  DUPLICATE_KEY,
  formatBeacon,
  formatPeer,
  formatRefusal,
  type KeyBlock,
  microblockHash,
  parseClientMessage,
  type TokenId,
  type VerifyText,
  WRONG_VERSION,
} from '@hailstone/protocol'
import type { WebSocket } from 'ws'
import { acceptedConnections } from '../accepted-connections.ts'
import type { BalanceReader } from '../chain/balance-reader.ts'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { CalculatedMacroblock } from '../chain/calculated-macroblock.ts'
import type { Emit } from '../chain/events.ts'
import type { Random } from '../chain/selection.ts'
import type { SignedTransactions } from '../chain/signed-transactions.ts'
import type { Clock } from '../clock.ts'
import { connectionShares } from '../connection-shares.ts'
import { createFairTurns } from '../fair-turns.ts'
import { hostNameOf, isOwnHost } from '../http/answered-hosts.ts'
import type { OriginRules } from '../http/answered-origins.ts'
import type { Claim, GatewayEnd, LeaderEnd, WholeStand } from '../leader/gateway-end.ts'
import { type Logger, reasonOf } from '../logger.ts'
import { createKeyAllowances, type KeyAllowances } from './allowance.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import type { GatewayEvents } from './gateway-events.ts'
import { type GatewayOptions, gatewaySettings } from './gateway-options.ts'
import { type Introduction, isHailSigned, keptHail, readIntroduction } from './hail.ts'
import { limitLog } from './limit-log.ts'
import type { OnlineMiner } from './online-miner.ts'
import { openGatewayListener } from './open-gateway-listener.ts'
import { openSession } from './open-session.ts'
import { formatProbe } from './probe.ts'
import { hasMiner, type MinerSession, type Session } from './session.ts'

export type GatewayParameters = {
  readonly producer: BlockProducer
  readonly ledger: LedgerState
  readonly balances: BalanceReader
  readonly network: NetworkParameters
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly verify: VerifyText
  readonly signed: Pick<SignedTransactions, 'has'>
  readonly faults: FaultLayers
  readonly options?: GatewayOptions | undefined
  readonly emit: Emit<GatewayEvents>
}

/**
 * The proof-of-activity gateway: introduces miners, passes offers of the leader on to them and takes their signatures.
 */
export type Gateway = Omit<GatewayEnd, 'stand'> & {
  /** Returns miners, what they were offered and what they published. */
  readonly stand: () => WholeStand
  /** @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
  readonly listen: (at: {
    /** Address to listen on. */
    readonly host: string
    /** 0 takes any free port. */
    readonly port: number
    /** Pages that may connect. @default those of this machine */
    readonly origins?: OriginRules | undefined
  }) => Promise<{
    /** 0 takes any free port. */
    readonly port: number
  }>
  /** Names the one who leads, who hears of every miner then. Null while nobody does: miners stay, and wait. */
  readonly follow: (leader: LeaderEnd | null) => void
  /** One entry for each connection that has introduced itself. */
  readonly minersOnline: () => readonly OnlineMiner[]
  /** Sends "connect to another address instead"; false when the miner is not connected. */
  readonly sendPeer: (address: string, host: string, port: number) => boolean
  /** Sends an empty beacon that must not be answered; false when the miner is not connected. */
  readonly sendProbe: (address: string) => boolean
  /** Cuts a miner's connection without a word; false when it is not connected. */
  readonly disconnect: (address: string) => boolean
  /**
   * Sends every miner away and refuses new ones until `reopen`.
   *
   * @param closeCode of a closing handshake; without one the connections are cut
   */
  readonly shut: (closeCode?: number) => Promise<void>
  /** @throws {NodeError} `PORT_IN_USE` */
  readonly reopen: () => Promise<void>
  /** Cuts all connections. Idempotent. */
  readonly stop: () => Promise<void>
}

/** Time that miners have to answer a closing handshake, in ms. */
const FAREWELL_MS = 500
/** Pause before the balances of miners that could not be read are asked for again, in ms. */
const WEIGH_AGAIN_MS = 1000
/** Time that a proven miner has to show that its connection is alive when somebody else hails with its key, in ms. */
const CHALLENGE_MS = 1000
/** Time for messages before the event loop turns to everything else. */
const SLICE_MS = 8
const LOCAL_ORIGINS: OriginRules = { bound: '127.0.0.1', allowed: [], origins: [] }

export function createGateway(parameters: GatewayParameters): Gateway {
  return new ProofOfActivityGateway(parameters)
}

type ReadHail = {
  readonly introduction: Introduction
  readonly hail: NonNullable<Session['hail']>
  readonly isSigned: () => boolean
}

class ProofOfActivityGateway implements Gateway {
  readonly #given: GatewayParameters
  readonly #settings: ReturnType<typeof gatewaySettings>
  readonly #sessions = new Map<
    number,
    { readonly session: Session; readonly socket: WebSocket; readonly host: string }
  >()
  /** Sessions by the address of their miner, of which there is one each. */
  readonly #byAddress = new Map<string, MinerSession>()
  #leader: LeaderEnd | null = null
  readonly #candidates: Candidates
  /** Key block up to which the candidates know the ledger; the object itself, as a chain may be loaded again. */
  #weighedAt: KeyBlock
  /** Proven sessions that somebody else hailed for, until it is known whether they are alive. */
  readonly #challenged = new Set<Session>()
  /** Sessions that are cut off at the next selection. */
  readonly #condemned = new Set<Session>()
  readonly #turns = createFairTurns<object>({
    maxRunning: 1,
    sliceMs: SLICE_MS,
    accepted: () => acceptedConnections(),
    isUrgent: (member) => 'isProven' in member && member.isProven === true,
    onFailure: (member, error) => this.#cut(member, error),
  })
  readonly #stakes: StakeRules
  readonly #keys: KeyAllowances
  #listener: Listener | null = null
  #nextId = 1
  #cancelRound: () => void = () => {}
  #cancelPing: () => void = () => {}

  constructor(parameters: GatewayParameters) {
    this.#given = { ...parameters, logger: limitLog(parameters.logger) }
    this.#settings = gatewaySettings(parameters.options ?? {})
    this.#stakes = stakeRulesOf(parameters.ledger)
    const { framesPerSecond: perSecond, framesAtOnce: atOnce } = this.#settings
    this.#keys = createKeyAllowances({ perSecond, atOnce })
    const { ledger, network, producer } = parameters
    this.#candidates = createCandidates({
      ledger,
      network,
      beaconIntervalMs: this.#settings.beaconIntervalMs,
      minerOf: (address) => this.#byAddress.get(address),
    })
    this.#weighedAt = producer.openKeyBlock()
    producer.on('macroblockClosed', (closed) => this.#weigh(closed))
  }

  readonly listen: Gateway['listen'] = async ({
    host,
    port,
    origins = { ...LOCAL_ORIGINS, bound: host },
  }) => {
    const { faults } = this.#given
    const welcome = (socket: WebSocket, request: IncomingMessage) => this.#welcome(socket, request, origins)
    const maxConnections = connectionShares(this.#settings).gateway
    const limits = { turns: this.#turns, origins, maxConnections }
    this.#listener = await openGatewayListener({ host, port, faults, welcome, ...limits })
    this.#roundLater()
    this.#pingLater()
    return { port: this.#listener.port }
  }

  readonly follow = (leader: LeaderEnd | null): void => {
    this.#leader = leader
    if (leader !== null) for (const session of this.#byAddress.values()) leader.claim(claimOf(session))
  }

  readonly stand = (): WholeStand => {
    this.#catchUp()
    return {
      keyBlockHash: this.#weighedAt.hash,
      staked: this.#candidates.staked(),
      stakedTokens: this.#candidates.stakedTokens(),
      // For a leader in this process: miners rest by the clock of whoever leads.
      rested: (isStaked) => {
        this.#candidates.endRests(this.#given.clock.now())
        return this.#candidates.rested(isStaked)
      },
      all: this.#candidates.all,
    }
  }

  readonly offer: GatewayEnd['offer'] = ({ id, keyBlockHash, nowMs, transactions, ...group }, answer) => {
    const { network, random, emit } = this.#given
    const leader = this.#leader
    this.#dropCondemned()
    this.#catchUp()
    const isOfNow = this.#weighedAt.hash === keyBlockHash && leader !== null
    this.#candidates.endRests(nowMs)
    const chosen = isOfNow ? this.#candidates.choose(group, random) : undefined
    answer(chosen?.weight ?? null)
    if (chosen === undefined || leader === null) return
    const { session } = chosen
    const content = { keyBlockHash, publisher: session.miner.address, nonce: 1, transactions }
    const hash = microblockHash(content)
    session.outstanding = { ...content, hash }
    session.offer = { id, leader }
    session.lastBeaconAtMs = nowMs
    this.#candidates.rest(session, nowMs)
    emit('beaconOffered', { address: session.miner.address, microblockHash: hash })
    session.send(formatBeacon({ leaderId: network.leaderId, microblockHash: hash, content }))
  }

  readonly contest: GatewayEnd['contest'] = ({ address, session: id }, hail, answer) => {
    const { verify } = this.#given
    const session = this.#byAddress.get(address)
    if (session?.id !== id) answer(true)
    else this.#yield(session, () => hail !== null && isHailSigned({ ...hail, verify }), answer)
  }

  readonly hailOf: GatewayEnd['hailOf'] = ({ address, session: id }, answer) => {
    const session = this.#byAddress.get(address)
    answer(session?.id === id ? session.hail : null)
  }

  readonly evict: GatewayEnd['evict'] = ({ address, session: id }) => {
    const session = this.#byAddress.get(address)
    if (session?.id === id) this.#refuse(session, DUPLICATE_KEY)
  }

  readonly minersOnline = (): readonly OnlineMiner[] =>
    Array.from(this.#byAddress.values(), ({ miner: { address, tokenId } }) => ({ address, tokenId }))

  readonly sendPeer = (address: string, host: string, port: number): boolean =>
    this.#withMiner(address, (session) => session.send(formatPeer({ host, port })))

  readonly sendProbe = (address: string): boolean =>
    this.#withMiner(address, (session) => this.#probe(session))

  readonly disconnect = (address: string): boolean =>
    this.#withMiner(address, (session) => session.terminate())

  readonly shut = async (closeCode?: number): Promise<void> => {
    if (closeCode !== undefined) {
      for (const { socket } of this.#sessions.values()) socket.close(closeCode)
      await Promise.race([this.#everybodyLeft(), this.#given.faults.wait(FAREWELL_MS)])
    }
    await this.#listener?.shut()
  }

  readonly reopen = async (): Promise<void> => this.#listener?.reopen()

  readonly stop = async (): Promise<void> => {
    this.#cancelRound()
    this.#cancelPing()
    const listener = this.#listener
    this.#listener = null
    for (const { session } of this.#sessions.values()) session.terminate()
    await listener?.close()
  }

  #everybodyLeft(): Promise<unknown> {
    const gone = ({ socket }: { socket: WebSocket }) =>
      socket.readyState === socket.CLOSED || new Promise((resolve) => socket.once('close', resolve))
    return Promise.all(Array.from(this.#sessions.values(), gone))
  }

  #withMiner(address: string, act: (session: MinerSession) => void): boolean {
    const session = this.#byAddress.get(address)
    if (session !== undefined) act(session)
    return session !== undefined
  }

  #welcome(socket: WebSocket, request: IncomingMessage, origins: OriginRules): void {
    const { logger, faults } = this.#given
    const { host: authority = '' } = request.headers
    // Whoever writes the header chooses it: a hail that was made for another server must not prove a key here.
    const isOwn = isOwnHost(hostNameOf(authority), origins, request.socket.localAddress)
    const host = isOwn ? authority.replace(/:\d+$/, '') : ''
    const session = openSession({
      socket,
      request,
      faults: faults.socket,
      id: this.#nextId++,
      turns: this.#turns,
      keys: this.#keys,
      ...this.#settings,
      onMessage: (from, text) => this.#hear(from, parseClientMessage(text)),
      onClose: (closed) => this.#forget(closed),
      onError: ({ id }, error) => logger.debug('a connection failed', { session: id, reason: error.message }),
    })
    this.#sessions.set(session.id, { session, socket, host })
    logger.debug('a miner connected', { session: session.id })
  }

  /** Ends the connection whose work has failed; the others go on. */
  #cut(member: object, error: unknown): void {
    this.#given.logger.error('a connection failed', { reason: reasonOf(error) })
    if ('terminate' in member && typeof member.terminate === 'function') member.terminate()
    else if ('destroy' in member && typeof member.destroy === 'function') member.destroy()
  }

  #hear(session: Session, message: ClientMessage): void {
    // Frames that are no JSON objects are ignored, as on the public network. So is everything after a fault.
    if (message.kind === 'nonsense' || session.score === 0) return
    if (!message.hasVersion) this.#refuse(session, WRONG_VERSION)
    else if (message.kind === 'hail') this.#introduce(session, message)
    else if (message.kind === 'publish') this.#judge(session, message)
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.id)
    this.#condemned.delete(session)
    this.#unname(session)
  }

  /** Takes the miner away from a session. */
  #unname(session: Session): void {
    if (!hasMiner(session)) return
    this.#candidates.remove(session)
    const { address } = session.miner
    if (this.#byAddress.get(address) === session) this.#byAddress.delete(address)
    this.#leader?.leave({ address, session: session.id })
    const nameless: Session = session
    nameless.miner = null
  }

  #refuse(session: Session, code: string): void {
    this.#given.logger.info('a miner was refused', { session: session.id, code })
    this.#unname(session)
    session.dismiss(formatRefusal(code))
  }

  #introduce(session: Session, { data }: Extract<ClientMessage, { kind: 'hail' }>): void {
    const { network, logger, verify } = this.#given
    const introduction = readIntroduction(data, network.ledger.nativeTokenId)
    if (introduction === null) return
    const kept = keptHail(data, this.#sessions.get(session.id)?.host ?? '')
    const hail = { ...kept, atMs: performance.now() }
    let known: boolean | null = null
    const isSigned = (): boolean => {
      known ??= isHailSigned({ ...kept, verify })
      return known
    }
    if (this.#settings.strictHail && !isSigned()) {
      const sentence =
        kept.host === '' ? 'a hail came by a host that --allow-host does not name' : 'a hail was not signed'
      logger.warn(sentence, { session: session.id, address: introduction.address })
      session.terminate()
      return
    }
    const older = this.#byAddress.get(introduction.address)
    // A second hail on the same connection finds itself (PROTOCOL 5.3).
    if (older === session) this.#refuse(session, DUPLICATE_KEY)
    else if (older === undefined) this.#seat(session, { introduction, hail, isSigned })
    else
      this.#yield(older, isSigned, (isEmpty) => {
        if (!this.#sessions.has(session.id) || session.score === 0) return
        if (isEmpty) this.#seat(session, { introduction, hail, isSigned })
        else this.#refuse(session, DUPLICATE_KEY)
      })
  }

  /**
   * Sends a miner away whose key is used in a newer hail, and answers true. An unsigned hail does not send away a miner
   * that has proven its key, by a signed hail or a publication, and that answers a ping. Hails that come within a second
   * of that ping or its answer change nothing and cause no other one: who hails in a row must not flood the miner with
   * pings.
   */
  #yield(older: MinerSession, isSigned: () => boolean, answer: (isEmpty: boolean) => void): void {
    if (!(older.isProven || older.isHailSigned()) || isSigned()) {
      this.#refuse(older, DUPLICATE_KEY)
      answer(true)
      return
    }
    if (this.#challenged.has(older)) {
      answer(false)
      return
    }
    this.#challenged.add(older)
    void older.isThere(CHALLENGE_MS).then((isThere) => {
      if (isThere) setTimeout(() => this.#challenged.delete(older), CHALLENGE_MS).unref()
      else {
        this.#challenged.delete(older)
        if (this.#byAddress.get(older.miner?.address ?? '') === older) this.#refuse(older, DUPLICATE_KEY)
      }
      answer(!isThere)
    })
  }

  /** The new connection wins (PROTOCOL 5.3). */
  #seat(session: Session, { introduction, hail, isSigned }: ReadHail): void {
    const { logger } = this.#given
    // Somebody else may have come while it was found out whether the one before is there.
    const older = this.#byAddress.get(introduction.address)
    if (older !== undefined && older !== session) this.#refuse(older, DUPLICATE_KEY)
    this.#unname(session)
    session.miner = introduction
    session.hail = hail
    session.isHailSigned = isSigned
    if (!hasMiner(session)) return
    this.#byAddress.set(introduction.address, session)
    this.#weighMiner(session)
    this.#leader?.claim(claimOf(session))
    logger.info('a miner introduced itself', { session: session.id, ...introduction })
    if (this.#settings.probesFirst) this.#probe(session)
  }

  #weighMiner(session: MinerSession): void {
    if (!this.#weighNow(session)) void this.#weighWhenRead([session])
  }

  /** Returns false while the balance of the miner is not in memory; until then it counts as one without a stake. */
  #weighNow(session: MinerSession): boolean {
    const isWeighed = this.#candidates.put(session)
    session.hasStake = this.#candidates.hasStake(session)
    if (!session.isProven) session.rank(session.hasStake ? RANK.staked : RANK.stranger)
    return isWeighed
  }

  /** Weighs miners whose balances are not in memory, however long the database is away meanwhile. */
  async #weighWhenRead(sessions: readonly MinerSession[]): Promise<void> {
    const { balances, clock } = this.#given
    const isSeated = (session: MinerSession): boolean =>
      this.#byAddress.get(session.miner.address) === session
    let waiting = sessions
    while (waiting.length > 0 && this.#listener !== null) {
      const isHeld = await balances.whenHeld(
        waiting.map(({ miner: { address: account, tokenId } }) => ({ account, tokenId })),
      )
      if (!isHeld) await new Promise<void>((resolve) => void clock.after(WEIGH_AGAIN_MS, resolve))
      // After the pause, in which some may have left.
      waiting = waiting.filter(
        (session) => hasMiner(session) && isSeated(session) && !this.#weighNow(session),
      )
    }
  }

  /** Returns whether the balance is in memory by which a publication is judged, where it comes to that. */
  #holdsStakeOf(
    { miner, outstanding }: Session,
    { data: { token, microblockHash: hash } }: Extract<ClientMessage, { kind: 'publish' }>,
  ): boolean | Promise<boolean> {
    const { ledger, balances } = this.#given
    if (miner === null || outstanding?.hash !== hash || typeof token !== 'string') return true
    const known = ledger.token(token as TokenId)
    return known === undefined || balances.whenHeld([{ account: miner.address, tokenId: known.id }])
  }

  #probe({ miner, send }: MinerSession): void {
    const { network, random } = this.#given
    send(formatProbe({ leaderId: network.leaderId, publisher: miner.address, random }))
  }

  #judge(session: Session, message: Extract<ClientMessage, { kind: 'publish' }>): void {
    const { producer, verify, signed, logger } = this.#given
    const isHeld = this.#holdsStakeOf(session, message)
    if (isHeld !== true) {
      void Promise.resolve(isHeld).then((isRead) => {
        if (isRead && this.#sessions.has(session.id) && session.score > 0) this.#judge(session, message)
      })
      return
    }
    const judgement = judgePublication({
      ...message,
      hailedAs: session.miner?.address ?? null,
      outstanding: session.outstanding,
      stakes: this.#stakes,
      // A macroblock that is closed no longer knows its microblocks; the session knows what it answered.
      isStored: (hash) => session.answeredHash === hash || producer.hasMicroblock(hash),
      verify,
      isSigned: signed.has,
    })
    const who = { session: session.id, address: session.miner?.address }
    this.#given.emit('publicationJudged', {
      address: session.miner?.address ?? null,
      microblockHash: message.data.microblockHash,
      verdict: judgement.verdict,
      reason: 'reason' in judgement ? judgement.reason : null,
    })
    if (judgement.verdict === 'accepted') {
      const { microblock } = judgement
      session.offer?.leader.publish({ offerId: session.offer.id, microblock }, (added) =>
        logger.info('a microblock was published', { ...who, microblock: microblock.hash, added }),
      )
      session.answeredHash = microblock.hash
      session.isProven = true
      session.rank(RANK.proven)
      if (hasMiner(session)) this.#adoptToken(session, microblock.tokenId)
    } else if (judgement.verdict === 'refused') {
      session.score = 0
      this.#condemned.add(session)
      logger.warn('a publication was refused', { ...who, reason: judgement.reason })
    } else if (judgement.verdict === 'ignored') {
      logger.debug('a publication was ignored', { ...who, reason: judgement.reason })
    }
  }

  #adoptToken(session: MinerSession, tokenId: TokenId): void {
    const isOther = session.miner.tokenId !== tokenId
    if (isOther) session.miner = { ...session.miner, tokenId }
    this.#weighMiner(session)
    if (isOther) this.#leader?.claim(claimOf(session))
  }

  /** Cuts off those whose score is too low, as the public server does at each selection. */
  #roundLater(): void {
    this.#cancelRound = this.#given.clock.after(this.#settings.feederIntervalMs, () => {
      this.#dropCondemned()
      if (this.#listener !== null) this.#roundLater()
    })
  }

  #weigh({ macroblock, closed, nextKeyBlock }: CalculatedMacroblock): void {
    if (this.#weighedAt !== macroblock.keyBlock) return
    this.#candidates.apply(closed.changes)
    this.#weighedAt = nextKeyBlock
  }

  /** Weighs all miners again where a chain was put in place of another one, which tells no changes. */
  #catchUp(): void {
    const open = this.#given.producer.openKeyBlock()
    if (this.#weighedAt === open) return
    this.#weighedAt = open
    const lacking = this.#candidates.weighAll()
    if (lacking.length > 0) void this.#weighWhenRead(lacking)
  }

  #dropCondemned(): void {
    for (const session of this.#condemned) this.#drop(session)
  }

  #drop(session: Session): void {
    this.#given.logger.warn('a miner was cut off for its score', {
      session: session.id,
      address: session.miner?.address,
    })
    this.#forget(session)
    session.terminate()
  }

  #pingLater(): void {
    this.#cancelPing = this.#given.clock.after(this.#settings.pingIntervalMs, () => {
      this.#pingSome(this.#sessions.values())
      if (this.#listener !== null) this.#pingLater()
    })
  }

  /** Pings so many sessions as a slice has time for, and the others in the next turns of the event loop. */
  #pingSome(sessions: Iterator<{ readonly session: Session; readonly socket: WebSocket }>): void {
    const endsAt = performance.now() + SLICE_MS
    while (performance.now() < endsAt) {
      const { done, value } = sessions.next()
      if (done === true) return
      const { session, socket } = value
      // Whoever does not introduce itself is sent away anyway.
      if (session.miner === null) continue
      if (!session.isAlive) session.terminate()
      else if (socket.readyState === socket.OPEN) {
        session.isAlive = false
        socket.ping()
      }
    }
    setImmediate(() => this.#pingSome(sessions))
  }
}

const claimOf = ({ id, miner, hail: { data, host, atMs } }: MinerSession): Claim => ({
  ...miner,
  session: id,
  hail: { data, host },
  ageMs: performance.now() - atMs,
})

const stakeRulesOf = (ledger: LedgerState): StakeRules => ({
  minimumStake(tokenId) {
    const token = ledger.token(tokenId as never)
    return token === undefined ? undefined : (token.mining?.minimumStake ?? null)
  },
  balance: ledger.balance,
})
