import { type ClientCore, createClientCore } from '@hailstone/client'
import type { Hash, TokenId } from '@hailstone/protocol'
import { isPrivateHost } from '@hailstone/runtime'
import { behindText, endOf, heard, hostsOf, NOTHING_SAID } from './api-view.ts'
import { prepareSessions } from './create-mining-session.ts'
import { createEventHub } from './events.ts'
import { type FollowedAccount, followAccount } from './follow-account.ts'
import { followSession } from './follow-session.ts'
import { followToken } from './follow-token.ts'
import { API_WAIT_MS, holdReason, isDoubt, tokenDoubt, waitsInDoubt } from './hold-reason.ts'
import { idleSnapshot } from './idle-snapshot.ts'
import { NOTHING_PUBLISHED, withSettled } from './inclusion.ts'
import { logEvents } from './log-events.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { type GatewayUrls, leaderStatus, pollIntervalOf } from './mining-settings.ts'
import { miningState } from './mining-state.ts'
import { openOwnRecord } from './own-record.ts'
import { type MiningWarning, type StakeFacts, warningIf, warningsOf } from './readiness.ts'
import { unknownToken } from './report-failure.ts'
import { serialQueue } from './serial-queue.ts'
import { isCut } from './session/connection.ts'
import type { SessionEvent } from './session/effect.ts'
import { gatewayViews } from './session/gateway-views.ts'
import type { HoldReason } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { createStore } from './store/mining-store.ts'

/**
 * Puts a mining node together; the entry of the package for each platform brings sockets and HTTP.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export function assembleMiningNode(parameters: MiningNodeParameters, platform: Platform): MiningNode {
  const { logger, cursors, client: shared, apiUrl, network } = parameters
  const { address } = parameters.wallet
  const hasApi = (shared ?? apiUrl ?? network) !== undefined
  const sessions = prepareSessions(parameters, platform, { onEvent, onState: derive })
  const { referralAgent } = sessions
  const isTokenChosen = parameters.tokenId !== undefined
  const events = createEventHub(logger ?? shared?.logger, platform.expectedEvent)
  if (logger !== undefined) logEvents(events, logger)
  const leaderCheck = { status: leaderStatus(parameters, sessions.leader), refused: 0 }
  const store = createStore<MiningSnapshot>({
    initial: idleSnapshot({ address, tokenId: sessions.mined.tokenId, hasApi, leaderCheck }),
    onError: (error) => events.emit('failed', { error }),
  })
  const follow = followSession({ events, store })
  const record =
    cursors && openOwnRecord({ store: cursors, name: `session:${address}`, clock: sessions.clock })
  const inTurn = serialQueue()
  let token: ReturnType<typeof followToken> | null = null
  let isTokenLearned = false
  /** True if the API did not report its requirements for miners in time. */
  let isApiOverdue = false
  /** What the API says of the token that is mined, and of the network. */
  let said = { token: NOTHING_SAID, network: NOTHING_SAID }
  let cancelApiWait: () => void = () => undefined
  let account: FollowedAccount | null = null
  /** Ours to close. */
  let ownClient: ClientCore | undefined
  /** True between `watch` and `close`: watching outlives mining. */
  let isWatchWanted = false
  let inclusion = NOTHING_PUBLISHED
  /** Of the first publication since the account is followed. */
  let openKeyBlock: Hash | undefined
  /** Of the newest beacon. */
  let newestKeyBlock: Hash | undefined
  let gatewayUrls: readonly string[] = []
  store.subscribe(derive)

  /** State and warnings follow from what session and API said; derived here and nowhere else. */
  function derive(): void {
    const before = store.snapshot()
    const { stakes: facts, balance, lastRefusal, othersMined } = before
    const session = sessions.current()
    const { tokenId } = sessions.mined
    const fromStakes = facts === null ? [] : warningsOf({ facts, tokenId, isTokenChosen, balance })
    const warnings = [...ownWarnings(before), ...fromStakes]
    const state = miningState({
      session: session?.state() ?? { status: 'idle' },
      facts,
      warnings,
      isBalanceKnown: balance !== null,
      refusal: lastRefusal?.why ?? null,
      othersMined,
    })
    const { gateways } = before
    const status = leaderStatus(parameters, sessions.leader)
    store.update({
      leaderCheck: kept(before.leaderCheck, { ...before.leaderCheck, status }),
      warnings: kept(before.warnings, warnings),
      state: kept(before.state, state),
      gateways: kept(
        gateways,
        session === null ? gateways : gatewayViews(session.session(), sessions.clock.now()),
      ),
    })
    applyWarnings(warnings)
  }

  /** Stops, holds or releases the session by the warnings about token and stake. */
  function applyWarnings(warnings: readonly MiningWarning[]): void {
    const session = sessions.current()
    if (endBySaid() !== null && session?.state().status !== 'stopped') {
      return void inTurn(async () => sessions.current()?.stop(endBySaid() ?? undefined))
    }
    const reason = heldBy(warnings)
    if (reason === null) session?.feed({ type: 'released', withOthers: waitsInDoubt(session.state()) })
    else session?.feed({ type: 'held', reason })
  }

  function heldBy(warnings: readonly MiningWarning[] = store.snapshot().warnings): HoldReason | null {
    return holdReason({
      snapshot: store.snapshot(),
      warnings,
      isTokenKnown: isTokenLearned || isTokenChosen || !hasApi,
      hasPreset: parameters.network !== undefined,
      isApiOverdue,
      mineBelowStake: parameters.mineBelowStake === true,
      doubt: said.network.doubt ?? said.token.doubt,
    })
  }

  const endBySaid = () => endOf(said.network) ?? endOf(said.token)

  function onStakesRead(facts: StakeFacts, sources: readonly string[]): void {
    const { tokenId } = sessions.mined
    const doubt = tokenDoubt(warningsOf({ facts, tokenId, isTokenChosen, balance: null }), sources)
    said = { ...said, token: heard(said.token, { doubt, sources, atMs: sessions.clock.now() }) }
  }

  function onNetworkRead(isRight: boolean, sources: readonly string[]): void {
    const detail = `the API at ${hostsOf(sources)} belongs to another network`
    const doubt = isRight ? null : ({ kind: 'anotherNetwork', detail } as const)
    said = { ...said, network: heard(said.network, { doubt, sources, atMs: sessions.clock.now() }) }
    derive()
  }

  function ownWarnings({ height, leaderCheck: { status } }: MiningSnapshot): readonly MiningWarning[] {
    return [
      ...warningIf(
        gatewayUrls.some(isOpenToOthers),
        'GATEWAY_NOT_ENCRYPTED',
        'The connection to the gateway is not encrypted.',
      ),
      ...warningIf(
        status === 'off',
        'LEADER_CHECK_OFF',
        "Leaders' signatures are not verified: whoever runs the gateway can have anything signed.",
      ),
      ...warningIf(
        status === 'noVerifier',
        'LEADER_CHECK_MISSING',
        "Beacons with a leader's signature are not signed: pass verifyLeader of '@hailstone/mining-node/leader'.",
      ),
      ...warningIf(
        inclusion.areIgnored,
        'PUBLICATIONS_NOT_INCLUDED',
        'Most of what was published lately is not included: it came too late, or the gateway keeps it.',
      ),
      ...warningIf(account?.isBehind() === true, 'API_BEHIND', behindText(String(height?.source))),
    ]
  }

  function beginWatching(): void {
    if (account !== null || token !== null || !hasApi) return
    openKeyBlock = undefined
    ownClient = shared === undefined ? createClientCore(parameters) : undefined
    const client = (shared ?? ownClient) as ClientCore
    if (isTokenChosen) {
      beginFollowing(client)
      return
    }
    const onLearned = (tokenId: TokenId): void => {
      // A session that hailed with the preset meanwhile leaves the gateway and comes back with the right one.
      const isOther = tokenId !== sessions.mined.tokenId && heldBy() === null
      const reason = { kind: 'nativeTokenUnknown', detail: '' } as const
      if (isOther) sessions.current()?.feed({ type: 'held', reason })
      sessions.mined.tokenId = tokenId
      isTokenLearned = true
      store.update({ tokenId })
      beginFollowing(client)
    }
    const onError = unknownToken({ client, store, events })
    token = followToken({ client, pollIntervalMs: pollIntervalOf(parameters), onLearned, onError })
  }

  function beginFollowing(client: ClientCore): void {
    const pollIntervalMs = pollIntervalOf(parameters)
    account = followAccount({
      client,
      question: { address, tokenId: sessions.mined.tokenId, referralAgent },
      pollIntervalMs,
      blockTimeMs: parameters.blockTimeMs ?? 15_000,
      store,
      events,
      cursors,
      followReferrals: parameters.followReferrals,
      openKeyBlock: () => openKeyBlock,
      isStakeAwaited: () => heldBy()?.kind === 'stakeTooLow',
      onChainGrew: () => {
        // A stake that is too low explains the silence.
        const isExplained = store.snapshot().warnings.some(({ code }) => code === 'STAKE_TOO_LOW')
        if (!isExplained) sessions.current()?.feed({ type: 'chainGrew' })
      },
      onSettled: (isIncluded) => {
        inclusion = withSettled(inclusion, isIncluded)
        derive()
        if (inclusion.isAlarm) sessions.current()?.feed({ type: 'publicationsIgnored' })
      },
      isDoubted: () => isDoubt(heldBy()) && sessions.current()?.state().status !== 'stopped',
      onStakesRead,
      onNetworkRead,
    })
  }

  async function beginSession(urls: GatewayUrls): Promise<void> {
    gatewayUrls = urls
    inclusion = NOTHING_PUBLISHED
    // Whoever starts again has it asked anew.
    said = { token: { ...said.token, claim: null }, network: { ...said.network, claim: null } }
    store.update({ lastRefusal: null })
    events.emit('started', { address, tokenId: sessions.mined.tokenId, gatewayUrl: urls[0] })
    const ownRecordAt = sessions.current() === null ? await record?.lastAliveAt() : undefined
    isApiOverdue = !hasApi
    cancelApiWait = sessions.clock.after(API_WAIT_MS, () => {
      isApiOverdue = true
      derive()
    })
    sessions.begin(urls, { ownRecordAt, heldBy: heldBy() ?? undefined })
    derive()
  }

  function onEvent(event: SessionEvent): void {
    follow(event, String(gatewayUrls[0]))
    if (event.type === 'hailed' || event.type === 'published') record?.alive()
    if (event.type === 'beaconReceived') {
      if (event.keyBlockHash !== newestKeyBlock) account?.keyBlockOpened()
      newestKeyBlock = event.keyBlockHash
    }
    if (event.type === 'hailed' || event.type === 'beaconReceived') account?.offered()
    if (event.type === 'published') {
      // Not before: a beacon that was not checked can name any key block.
      openKeyBlock ??= event.keyBlockHash
      account?.published(event.microblockHash, event.keyBlockHash)
    }
    if (event.type === 'disconnected' && isCut(event.reason)) account?.check()
  }

  async function watch(): Promise<void> {
    isWatchWanted = true
    beginWatching()
  }

  async function start(): Promise<void> {
    const place = sessions.place()
    const isWatched = account !== null || token !== null
    beginWatching()
    if (place === null) return
    // What ended the session before may still hold.
    if (isWatched) account?.check()
    try {
      await beginSession(place)
    } catch (error) {
      if (!isWatched) await endWatching()
      throw error
    }
  }

  async function stop(): Promise<void> {
    cancelApiWait()
    await sessions.current()?.stop()
    await record?.settled()
    if (!isWatchWanted) await endWatching()
  }

  function close(): Promise<void> {
    isWatchWanted = false
    return stop()
  }

  async function endWatching(): Promise<void> {
    // The token first: what it learns begins the other.
    await token?.stop()
    token = null
    const before = account
    account = null
    await before?.stop()
    await ownClient?.close()
  }

  return {
    address,
    get state() {
      return store.snapshot().state
    },
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    on: events.on,
    once: events.once,
    watch: () => inTurn(watch),
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    close: () => inTurn(close),
    [Symbol.asyncDispose]: () => inTurn(close),
  }
}

/** Whoever listens on the way sees who mines; they cannot sign for it. */
function isOpenToOthers(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  return protocol !== 'wss:' && !isPrivateHost(hostname)
}

/** Returns the previous value if nothing in it changed, so that subscribers are not called. */
const kept = <T>(before: T, now: T): T => (JSON.stringify(before) === JSON.stringify(now) ? before : now)
