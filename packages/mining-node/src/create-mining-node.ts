import type { ClientCore } from '@hailstone/client'
import { createEventHub } from './events.ts'
import type { FollowedAccount } from './follow-account.ts'
import { followSession } from './follow-session.ts'
import { idleSnapshot } from './idle-snapshot.ts'
import { logEvents } from './log-events.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import {
  gatewayUrlsOf,
  leaderCheckOf,
  parseReferralAgent,
  pollIntervalOf,
  tokenToMine,
} from './mining-settings.ts'
import { miningState } from './mining-state.ts'
import { oneAfterTheOther } from './one-after-the-other.ts'
import { openOwnRecord } from './own-record.ts'
import { type MiningWarning, warningsOf } from './readiness.ts'
import { type AnsweredHashes, NO_ANSWERS } from './session/answered.ts'
import { sessionClock } from './session/clock.ts'
import type { SessionFact } from './session/effect.ts'
import type { LeaderCheck } from './session/newest-check.ts'
import { isPrivateHost } from './session/redirect.ts'
import { type RunningSession, runSession } from './session/run-session.ts'
import type { SessionState } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { createStore } from './store/mining-store.ts'
import { listenerFailure } from './watchers/guarded.ts'

/** A client that follows the account, and whether it is ours to close. */
type Watching = { readonly account: FollowedAccount; readonly close: () => Promise<void> }

/**
 * Puts a mining node together; the entry of the package for each platform brings sockets and HTTP.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export function assembleMiningNode(parameters: MiningNodeParameters, platform: Platform): MiningNode {
  const { wallet, onDuplicateKey = 'stop', logger, clock, randomness, cursors } = parameters
  const { address } = wallet
  const referralAgent = parseReferralAgent(parameters.referralAgent)
  const tokenId = tokenToMine(parameters)
  const leader = leaderCheckOf(parameters, platform)
  const events = createEventHub()
  if (logger !== undefined) logEvents(events, logger)
  const store = createStore<MiningSnapshot>({
    initial: firstSnapshot(parameters, { address, tokenId, leader }),
    onThrow: (error) => events.emit('failed', { error: listenerFailure('snapshot', error) }),
  })
  const ownClock = sessionClock(clock)
  const wallNow = ownClock.wallNow ?? ownClock.now
  const record = cursors && openOwnRecord({ store: cursors, name: `session:${address}`, now: wallNow })
  const inTurn = oneAfterTheOther()
  let watching: Watching | null = null
  let session: RunningSession | null = null
  let answered: AnsweredHashes = NO_ANSWERS
  /** What `watch` began outlives mining. */
  let isWatchWanted = false
  let areIgnored = false
  let gatewaysInUse: readonly string[] = []
  store.subscribe(derive)

  /** State and warnings follow from what session and API said; derived here and nowhere else. */
  function derive(): void {
    const { stakes, balance, lastRefusal, warnings: before, state: stateBefore, gateways } = store.snapshot()
    const isTokenChosen = parameters.tokenId !== undefined
    const fromStakes = stakes === null ? [] : warningsOf({ facts: stakes, tokenId, isTokenChosen, balance })
    const warnings = [...ownWarnings(), ...fromStakes]
    const current: SessionState = session?.state() ?? { status: 'idle' }
    const state = miningState({
      session: current,
      facts: stakes,
      warnings,
      isBalanceKnown: balance !== null,
      refusal: lastRefusal?.why ?? null,
    })
    const views = session?.gateways() ?? gateways
    store.update({
      ...(isSame(warnings, before) ? {} : { warnings }),
      ...(isSame(state, stateBefore) ? {} : { state }),
      ...(isSame(views, gateways) ? {} : { gateways: views }),
    })
  }

  function ownWarnings(): readonly MiningWarning[] {
    const warnings: MiningWarning[] = [...socketWarnings(gatewaysInUse)]
    const { status } = store.snapshot().leaderCheck
    if (status === 'off') warnings.push(LEADER_CHECK_OFF)
    if (status === 'noVerifier') warnings.push(LEADER_CHECK_MISSING)
    if (areIgnored) warnings.push(NOT_INCLUDED)
    return warnings
  }

  function beginWatching(): void {
    const { api } = platform
    if (watching !== null || api === undefined) return
    const { client: shared, apiUrl, network } = parameters
    if ((shared ?? apiUrl ?? network) === undefined) return
    const client: ClientCore = shared ?? api.createClient({ apiUrl, network, logger, clock, randomness })
    const account = api.followAccount({
      client,
      question: { address, tokenId, referralAgent },
      pollIntervalMs: pollIntervalOf(parameters),
      blockTimeMs: parameters.blockTimeMs ?? 15_000,
      store,
      events,
      cursors,
      followReferrals: parameters.followReferrals,
      onChainGrew: () => {
        // A stake that is too low explains the silence.
        if (store.snapshot().warnings.every(({ code }) => code !== 'STAKE_TOO_LOW')) session?.chainGrew()
      },
      onPublicationsIgnored: () => {
        areIgnored = true
        derive()
        session?.publicationsIgnored()
      },
      // A session that is about to begin is ended too.
      onOtherNetwork: () => void inTurn(async () => session?.stop('another network')),
    })
    watching = { account, close: shared === undefined ? client.close : async () => undefined }
  }

  async function beginSession(gatewayUrls: readonly [string, ...string[]]): Promise<void> {
    const [gatewayUrl, ...otherGatewayUrls] = gatewayUrls
    gatewaysInUse = gatewayUrls
    areIgnored = false
    const follow = followSession({ events, store, gatewayUrl })
    store.update({ lastRefusal: null })
    events.emit('started', { address, tokenId, gatewayUrl })
    const ownRecordAt = session === null ? await ownRecordTime() : undefined
    session = runSession({
      settings: { gatewayUrl, otherGatewayUrls, onDuplicateKey, ownRecordAt },
      signer: wallet,
      tokenId,
      referralAgent,
      openChannel: parameters.openChannel ?? platform.openChannel,
      verify: parameters.verify,
      leader,
      connectivity: platform.connectivity,
      leastGapMs: platform.leastGapMs,
      clock: ownClock,
      random: randomness,
      answered,
      onState: derive,
      onFact: (fact) => {
        follow(fact)
        note(fact)
      },
    })
    derive()
  }

  /** In the time of the session's clock. */
  async function ownRecordTime(): Promise<number | undefined> {
    const lastAliveMs = (await record?.lastAliveMs()) ?? null
    return lastAliveMs === null ? undefined : ownClock.now() - Math.max(0, wallNow() - lastAliveMs)
  }

  function note(fact: SessionFact): void {
    if (fact.type === 'hailed' || fact.type === 'published') record?.alive()
    if (fact.type === 'published') watching?.account.published(fact.microblockHash)
    if (fact.type === 'disconnected' && fact.reason.kind === 'publicationSuspected') {
      watching?.account.checkStakes()
    }
  }

  async function watch(): Promise<void> {
    isWatchWanted = true
    beginWatching()
  }

  async function start(): Promise<void> {
    const gatewayUrls = gatewayUrlsOf(parameters)
    const isWatched = watching !== null
    beginWatching()
    if (session !== null && session.state().status !== 'stopped') return
    answered = session?.answered() ?? answered
    // What ended the session before may still hold.
    if (isWatched) watching?.account.checkNetwork()
    try {
      await beginSession(gatewayUrls)
    } catch (error) {
      if (!isWatched) await endWatching()
      throw error
    }
  }

  async function stop(): Promise<void> {
    await session?.stop()
    await record?.settled()
    if (!isWatchWanted) await endWatching()
  }

  function close(): Promise<void> {
    isWatchWanted = false
    return stop()
  }

  async function endWatching(): Promise<void> {
    const { account, close: closeClient } = watching ?? {}
    watching = null
    await account?.stop()
    await closeClient?.()
  }

  return {
    address,
    get state() {
      return store.snapshot().state
    },
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    on: events.on,
    watch: () => inTurn(watch),
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    close: () => inTurn(close),
    [Symbol.asyncDispose]: () => inTurn(close),
  }
}

const LEADER_CHECK_OFF: MiningWarning = {
  code: 'LEADER_CHECK_OFF',
  message: "Leaders' signatures are not verified: whoever runs the gateway can have anything signed.",
}

const LEADER_CHECK_MISSING: MiningWarning = {
  code: 'LEADER_CHECK_MISSING',
  message:
    "Beacons with a leader's signature are not signed: pass verifyLeader of '@hailstone/mining-node/leader'.",
}

const NOT_INCLUDED: MiningWarning = {
  code: 'PUBLICATIONS_NOT_INCLUDED',
  message:
    'More than half of what was published lately did not come into the chain: answers come too late, or the gateway keeps them.',
}

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))

function firstSnapshot(
  { client, apiUrl, network, dangerouslySkipLeaderCheck }: MiningNodeParameters,
  {
    leader,
    ...of
  }: Pick<MiningSnapshot, 'address' | 'tokenId'> & { readonly leader: LeaderCheck | undefined },
): MiningSnapshot {
  const hasApi = (client ?? apiUrl ?? network) !== undefined
  const verifies = leader?.verify === undefined ? 'noVerifier' : 'on'
  const wanted = leader === undefined ? 'noKey' : verifies
  const status = dangerouslySkipLeaderCheck === true ? 'off' : wanted
  return idleSnapshot({ ...of, hasApi, leaderCheck: { status, refused: 0 } })
}

/** Whoever listens on the way sees who mines; they cannot sign for it. */
function socketWarnings(gatewayUrls: readonly string[]): readonly MiningWarning[] {
  const isOpen = gatewayUrls.some((gatewayUrl) => {
    const { protocol, hostname } = new URL(gatewayUrl)
    return protocol !== 'wss:' && !isPrivateHost(hostname)
  })
  if (!isOpen) return []
  const message = 'The connection to the gateway is not encrypted: others on the way can read it and cut it.'
  return [{ code: 'GATEWAY_NOT_ENCRYPTED', message }]
}
