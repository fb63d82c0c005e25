import { systemRandomness } from '@hailstone/client'
import {
  type Address,
  FRAME_LIMIT_BYTES,
  formatHail,
  formatPublication,
  type Hash,
  parseBootNodeMessage,
  parseServerMessage,
  type TokenId,
  type VerifyText,
} from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { OpenChannel } from './channel.ts'
import { type SessionClock, sessionClock } from './clock.ts'
import type { SessionEffect, SessionEvent } from './effect.ts'
import { watchGaps } from './gap-watch.ts'
import { hostOf } from './host-of.ts'
import { createInbox } from './inbox.ts'
import type { SessionInput, TimerName, UntimedInput } from './input.ts'
import type { LeaderCheck } from './leader-check.ts'
import { CLOSE_NORMAL } from './limits.ts'
import { type Link, openLink } from './link.ts'
import { createNewestCheck, type VerifyAhead } from './newest-check.ts'
import type { SignLater } from './sign-later.ts'
import type { MiningSigner, SessionSigner } from './signer.ts'
import {
  type AnsweredHashes,
  idleSession,
  type Session,
  type SessionSettings,
  type SessionState,
  type StopReason,
} from './state.ts'
import { transition } from './transition.ts'

export type RunSessionParameters = {
  readonly settings: SessionSettings
  /** Without `signLater` a signer that answers at once. */
  readonly signer: MiningSigner
  /** Performs what needs a signature, for signers that are no wallets. @default none */
  readonly signLater?: SignLater | undefined
  /** Time limit of one late signature in ms. @default 5000 */
  readonly signingTimeoutMs?: number | undefined
  /** Looked up before each hail and each publication. */
  readonly tokenId: TokenId
  readonly referralAgent?: Address | undefined
  readonly openChannel: OpenChannel
  readonly onEvent?: ((event: SessionEvent) => void) | undefined
  /** Called after every input that changed the state. */
  readonly onState?: ((state: SessionState) => void) | undefined
  /** Microblocks signed by an earlier session of the same key; they are not signed again. */
  readonly answered?: AnsweredHashes | undefined
  /** @default the pure verifier of `@hailstone/protocol` */
  readonly verify?: VerifyText | undefined
  /** Helps to verify long beacons. @default none */
  readonly verifyAhead?: VerifyAhead | undefined
  /** @default none: beacons are signed whatever their leader's signature */
  readonly leader?: LeaderCheck | undefined
  /** Largest frame that is read. @default 524288 */
  readonly frameLimitBytes?: number | undefined
  /** Says when the device has a network, where the platform tells. */
  readonly connectivity?: WatchConnectivity | undefined
  /** Shortest standstill that counts as sleep. @default 15000; pages in the background need more */
  readonly minGapMs?: number | undefined
  /** @default the system's */
  readonly clock?: SessionClock | undefined
  /** Uniform in [0, 1); decides waiting times only. @default the system's source */
  readonly random?: (() => number) | undefined
}

/** Reports that the device got or lost its network, or was frozen. Returns the unsubscribe function. */
export type WatchConnectivity = (listener: {
  readonly online: () => void
  readonly offline: () => void
  readonly resumed: () => void
}) => () => void

export type RunningSession = {
  readonly state: () => SessionState
  /** The machine between two inputs, its memory included. */
  readonly session: () => Session
  /** Reports something that happened outside of the connections. */
  readonly feed: (input: OutsideInput) => void
  /** Stops for good and resolves when sockets and timers are gone. May be called again. */
  readonly stop: (reason?: StopReason) => Promise<void>
}

type OutsideInput = Extract<
  UntimedInput,
  { readonly type: 'chainGrew' | 'publicationsIgnored' | 'held' | 'released' }
>

/**
 * Owns sockets, timers, chance and signer of one mining session; every decision is the machine's.
 * Begins to connect at once and keeps the process alive until it is stopped.
 */
export function runSession(parameters: RunSessionParameters): RunningSession {
  const { openChannel, onEvent, onState, frameLimitBytes = FRAME_LIMIT_BYTES } = parameters
  const { clock = sessionClock(), random = systemRandomness, minGapMs = 15_000 } = parameters
  const links = new Map<number, Link>()
  const timers = createTimers(clock, (timer) => feed({ type: 'timer', timer }))
  const checks = createNewestCheck({
    ...parameters,
    address: parameters.signer.address,
    clock,
    onChecked: ({ connection, beaconNumber }, check) =>
      feed({ type: 'checked', connection, beaconNumber, check }),
  })
  let session = idleSession(parameters.settings, parameters.answered)
  const put = createInbox(take)
  const feed = (input: UntimedInput): void =>
    put({ ...input, at: clock.now(), random: random() } as SessionInput)

  function take(input: SessionInput): void {
    const before = session.state
    const [next, effects] = transition(session, input)
    session = next
    // First the state, so that whoever hears of a event reads a state that goes with it.
    try {
      if (next.state !== before) onState?.(next.state)
    } finally {
      for (const effect of effects) perform(effect)
    }
    if (next.state.status === 'stopped') release()
  }

  function perform(effect: SessionEffect): void {
    if (late?.(effect)) return
    if (effect.type === 'open') guarded(open, failing(effect.connection))(effect)
    else if (effect.type === 'close') links.get(effect.connection)?.end(effect.code)
    else if (effect.type === 'ping') guarded(() => links.get(effect.connection)?.channel.ping?.())()
    else if (effect.type === 'hail') send(() => textOf(effect), { ...effect, type: 'hailed' })
    else if (effect.type === 'publish') send(() => textOf(effect), { ...effect, type: 'published' })
    else if (effect.type === 'check') checks.offer(effect)
    else if (effect.type === 'schedule') timers.schedule(effect.timer, effect.delayMs)
    else if (effect.type === 'cancelAll') {
      checks.cancel()
      timers.cancelAll()
    } else onEvent?.(effect.event)
  }

  const textOf = signNow(parameters)
  const late = parameters.signLater?.(parameters, { feed, send })

  function open({ connection, url }: { readonly connection: number; readonly url: string }): unknown {
    const read = parameters.settings.bootNodeUrls?.includes(url) ? parseBootNodeMessage : parseServerMessage
    const link = openLink({ connection, url, frameLimitBytes, openChannel, clock, read, feed })
    links.set(connection, link)
    void link.ended.then(() => links.delete(connection))
    // A promise in the place of a channel may reject.
    return link.channel
  }

  /** Signs and sends. Only what has left is reported; a socket that broke meanwhile reports itself. */
  function send(write: () => string, sent: UntimedInput & { readonly connection: number }): void {
    const link = links.get(sent.connection)
    if (link === undefined) return
    guarded(() => {
      const sending: unknown = link.channel.send(write())
      feed(sent)
      return sending
    }, failing(sent.connection))()
  }

  const failing =
    (connection: number) =>
    (error: unknown): void => {
      links.get(connection)?.end(CLOSE_NORMAL)
      feed({ type: 'failed', connection, detail: error instanceof Error ? error.message : 'not sent' })
    }

  const resumed = (gapMs: number): void => feed({ type: 'resumed', gapMs })
  const endGaps = watchGaps(clock, { minGapMs, onGap: resumed })
  let endConnectivity = parameters.connectivity?.({
    online: () => feed({ type: 'online' }),
    offline: () => feed({ type: 'offline' }),
    resumed: () => resumed(0),
  })

  /** Also after an end that nobody asked for: whoever starts again makes a new session and leaves this one. */
  function release(): void {
    endGaps()
    endConnectivity?.()
    endConnectivity = undefined
  }

  async function stop(reason?: StopReason): Promise<void> {
    feed({ type: 'stop', reason })
    release()
    await Promise.all([...links.values()].map(({ ended }) => ended))
  }

  feed({ type: 'start' })
  return { state: () => session.state, session: () => session, feed, stop }
}

/** Makes the function that signs, and returns the text to send; for a signer that answers at once. */
function signNow(parameters: RunSessionParameters) {
  const signer = parameters.signer as SessionSigner
  const terms = () => ({ tokenId: parameters.tokenId, referralAgent: parameters.referralAgent })
  let lastSent: { readonly microblockHash: Hash; readonly text: string } | null = null
  return (effect: Extract<SessionEffect, { type: 'hail' | 'publish' }>): string => {
    if (effect.type === 'hail') return formatHail(signer.signHail({ host: hostOf(effect.url), ...terms() }))
    const { microblockHash, keyBlockHash, isRepeated } = effect
    // The bytes of before when they are sent a second time, whatever the signer would make of them now.
    if (isRepeated && lastSent?.microblockHash === microblockHash) return lastSent.text
    const publication = signer.signPublication({ microblockHash, keyBlockHash, ...terms() })
    lastSent = { microblockHash, text: formatPublication(publication) }
    return lastSent.text
  }
}

/** Timers of a session by name; at most one of each. */
function createTimers(clock: SessionClock, onFired: (timer: TimerName) => void) {
  const ends = new Map<TimerName, () => void>()
  return {
    schedule: (timer: TimerName, delayMs: number): void => {
      ends.get(timer)?.()
      ends.set(
        timer,
        clock.after(delayMs, () => onFired(timer)),
      )
    },
    cancelAll: (): void => {
      for (const end of ends.values()) end()
    },
  }
}
