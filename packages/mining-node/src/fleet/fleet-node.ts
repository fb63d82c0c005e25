import { type Address, type Beacon, FRAME_LIMIT_BYTES, NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { BeaconVerdict } from '../session/beacon-verdict.ts'
import type { OpenChannel } from '../session/channel.ts'
import type { SessionClock } from '../session/clock.ts'
import type { SessionEffect, SessionEvent } from '../session/effect.ts'
import { hostOf } from '../session/host-of.ts'
import type { SessionInput, TimerName, UntimedInput } from '../session/input.ts'
import { type Link, openLink } from '../session/link.ts'
import {
  idleSession,
  NO_ANSWERS,
  type Session,
  type SessionSettings,
  type SessionState,
  type WaitReason,
} from '../session/state.ts'
import { transition } from '../session/transition.ts'
import { AnsweredRing } from './answered-ring.ts'
import type { BeaconReader } from './beacon-reader.ts'
import type { BeaconVerifier } from './beacon-verifier.ts'
import type { SignedFrame, SignerPool, SigningTask } from './signer-pool.ts'

/** Parameters shared by all nodes of a fleet. */
export type FleetParts = {
  readonly openChannel: OpenChannel
  readonly clock: SessionClock
  readonly random: () => number
  readonly signing: Pick<SignerPool, 'sign'>
  readonly beacons: Pick<BeaconVerifier, 'offer'>
  readonly reader: Pick<BeaconReader, 'read'>
  /** Puts an input behind those that wait, of whichever node. */
  readonly feed: (node: FleetNode, input: UntimedInput) => void
  /** Returns the settings, gateway included, of a node that reconnects. */
  readonly nextSettings: (node: FleetNode, current: SessionSettings) => SessionSettings
  readonly onEvent: (node: FleetNode, event: SessionEvent) => void
  readonly onState: (node: FleetNode, before: SessionState) => void
}

type NumberedBeacon = Omit<Extract<SessionEffect, { type: 'check' }>, 'type'>

/**
 * One session among many: the same pure machine as a node of its own has, with everything that can be shared taken
 * out. A field here is paid ten thousand times.
 */
export class FleetNode {
  readonly index: number
  readonly address: Address
  readonly #parts: FleetParts
  #session: Session
  /** The newest connection, and those whose closing handshake is under way. */
  #links: readonly Link[] = []
  readonly #timers: { [Name in TimerName]?: (() => void) | undefined } = {}
  #beacon: NumberedBeacon | null = null
  readonly #answered = new AnsweredRing()
  /** A hail is the same every time, so it is signed once for each host. */
  #hail: { readonly host: string; readonly text: string } | null = null

  constructor(parameters: {
    readonly index: number
    readonly address: Address
    readonly parts: FleetParts
    readonly settings: SessionSettings
  }) {
    this.index = parameters.index
    this.address = parameters.address
    this.#parts = parameters.parts
    this.#session = idleSession(parameters.settings)
  }

  get state(): SessionState {
    return this.#session.state
  }

  get settings(): SessionSettings {
    return this.#session.settings
  }

  get published(): number {
    return this.#session.memory.published
  }

  /** Decides one input. Called by whoever works through what was fed. */
  take(untimed: UntimedInput): void {
    const { clock, random, onState, nextSettings } = this.#parts
    const input = { ...untimed, at: clock.now(), random: random() } as SessionInput
    const isReturning = input.type === 'timer' && input.timer === 'reconnect'
    const settings = isReturning ? nextSettings(this, this.settings) : this.settings
    const before = this.#session.state
    const [next, effects] = transition(this.#knowing(input, settings), input)
    this.#session = { ...next, memory: { ...next.memory, answered: NO_ANSWERS } }
    if (next.state !== before) onState(this, before)
    for (const effect of effects) this.#perform(effect)
  }

  /** Leaves a healthy connection for another gateway. What was counted stays. */
  moveTo(settings: SessionSettings): void {
    const { connection, published } = this.#session.memory
    const lastOwnAt = this.#parts.clock.now()
    for (const link of this.#links) link.end(1000)
    this.#cancelAll()
    const fresh = idleSession(settings)
    const before = this.#session.state
    this.#session = {
      ...fresh,
      memory: { ...fresh.memory, connection: connection + 1, published, lastOwnAt },
    }
    this.#parts.onState(this, before)
    this.#feed({ type: 'start' })
  }

  /** After a time in which nothing ran: what was open is taken for dead. */
  resume(gapMs: number): void {
    this.#feed({ type: 'resumed', gapMs })
  }

  /** Resolves when nothing of this node is left. */
  async stop(): Promise<void> {
    this.#parts.feed(this, { type: 'stop' })
    await Promise.all(this.#links.map(({ ended }) => ended))
  }

  /** The machine keeps signed hashes in full; a fleet passes only the one in question. */
  #knowing(input: SessionInput, settings: SessionSettings): Session {
    const { memory, state } = this.#session
    const isKnown =
      input.type === 'checked' && input.check.ok && this.#answered.has(input.check.microblockHash)
    const answered = isKnown ? [new Set([input.check.microblockHash])] : NO_ANSWERS
    // It comes back at the gateway that the fleet chose for it.
    const { gateways, gatewayUrl } = settings === this.settings ? memory : idleSession(settings).memory
    return { settings, state, memory: { ...memory, gateways, gatewayUrl, answered } }
  }

  #perform(effect: SessionEffect): void {
    if (effect.type === 'open')
      guarded(
        () => this.#open(effect),
        (error) => this.#fail(effect.connection, error),
      )()
    else if (effect.type === 'close') this.#linkOf(effect.connection)?.end(effect.code)
    else if (effect.type === 'ping') guarded(() => this.#linkOf(effect.connection)?.channel.ping?.())()
    else if (effect.type === 'hail') this.#sayHail(effect)
    else if (effect.type === 'check') this.#check(effect)
    else if (effect.type === 'publish') this.#publish(effect)
    else if (effect.type === 'schedule') this.#schedule(effect.timer, effect.delayMs)
    else if (effect.type === 'cancelAll') this.#cancelAll()
    else this.#parts.onEvent(this, effect.event)
  }

  #feed(input: UntimedInput): void {
    this.#parts.feed(this, input)
  }

  #linkOf(connection: number): Link | undefined {
    return this.#links.find((link) => link.connection === connection)
  }

  #open({ connection, url }: { readonly connection: number; readonly url: string }): unknown {
    const { openChannel, clock, reader } = this.#parts
    const link = openLink({
      ...{ connection, url, openChannel, clock },
      frameLimitBytes: FRAME_LIMIT_BYTES,
      read: reader.read,
      feed: (input) => this.#feed(input),
    })
    this.#links = [...this.#links, link]
    void link.ended.then(() => {
      this.#links = this.#links.filter((other) => other !== link)
    })
    // A promise in the place of a channel may reject.
    return link.channel
  }

  #sayHail({ connection, url }: Extract<SessionEffect, { type: 'hail' }>): void {
    const host = hostOf(url)
    const known = this.#hail?.host === host ? this.#hail.text : null
    if (known !== null) this.#send(connection, known, { type: 'hailed', connection })
    else
      this.#sign(connection, { kind: 'hail', host }, (text) => {
        this.#hail = { host, text }
        this.#send(connection, text, { type: 'hailed', connection })
      })
  }

  #check(numbered: NumberedBeacon): void {
    const isQueued = this.#beacon !== null
    this.#beacon = numbered
    if (!isQueued) this.#offer()
  }

  #offer(): void {
    let number = 0
    let connection = 0
    this.#parts.beacons.offer({
      address: this.address,
      take: (): Beacon | null => {
        const newest = this.#beacon
        this.#beacon = null
        number = newest?.beaconNumber ?? 0
        connection = newest?.connection ?? 0
        return newest?.beacon ?? null
      },
      onChecked: (check: BeaconVerdict) =>
        this.#feed({ type: 'checked', connection, beaconNumber: number, check }),
    })
  }

  #publish({ connection, microblockHash, keyBlockHash }: Extract<SessionEffect, { type: 'publish' }>): void {
    if (!this.#answered.has(microblockHash)) this.#answered.add(microblockHash)
    this.#sign(connection, { kind: 'publication', microblockHash, keyBlockHash }, (text) =>
      this.#send(connection, text, { type: 'published', connection, microblockHash, keyBlockHash }),
    )
  }

  #sign(connection: number, task: SigningTask, onText: (text: string) => void): void {
    this.#parts.signing.sign(this.index, task, (frame: SignedFrame) => {
      if ('text' in frame) onText(frame.text)
      else {
        const { message: detail } = frame.error
        this.#fail(connection, frame.error, { kind: 'signerFailed', detail })
      }
    })
  }

  /** Only what has left is reported; a socket that broke meanwhile reports itself. */
  #send(connection: number, text: string, sent: UntimedInput): void {
    const link = this.#linkOf(connection)
    if (link === undefined || connection !== this.#session.memory.connection) return
    try {
      link.channel.send(text)
    } catch (error) {
      this.#fail(connection, error)
      return
    }
    this.#feed(sent)
  }

  #fail(connection: number, error: unknown, reason?: WaitReason): void {
    const detail = error instanceof NodeError ? error.code : 'not sent'
    const link = this.#linkOf(connection)
    // First the cause: a link that ends reports itself.
    this.#feed({ type: 'failed', connection, detail, reason })
    link?.end(1000)
  }

  #schedule(timer: TimerName, delayMs: number): void {
    this.#cancel(timer)
    this.#timers[timer] = this.#parts.clock.after(delayMs, () => {
      this.#timers[timer] = undefined
      this.#feed({ type: 'timer', timer })
    })
  }

  #cancel(timer: TimerName): void {
    this.#timers[timer]?.()
    this.#timers[timer] = undefined
  }

  #cancelAll(): void {
    this.#beacon = null
    for (const timer of Object.keys(this.#timers) as TimerName[]) this.#cancel(timer)
  }
}
