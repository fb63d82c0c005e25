import type { Client } from '@hailstone/client'
import { createEventHub } from './events.ts'
import { type FollowedAccount, followAccount } from './follow-account.ts'
import { followSession } from './follow-session.ts'
import { logEvents } from './log-events.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { gatewayUrlOf, parseReferralAgent, pollIntervalOf, tokenToMine } from './mining-settings.ts'
import { miningState } from './mining-state.ts'
import { type MiningWarning, warningsOf } from './readiness.ts'
import { type AnsweredHashes, NO_ANSWERS } from './session/answered.ts'
import { sessionClock } from './session/clock.ts'
import type { SessionFact } from './session/effect.ts'
import { isPrivateHost } from './session/redirect.ts'
import { type RunningSession, runSession } from './session/run-session.ts'
import type { SessionState } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { createStore } from './store/mining-store.ts'
import { listenerFailure } from './watchers/guarded.ts'

/** A client that follows the account, and whether it is ours to close. */
type Watching = { readonly account: FollowedAccount; readonly close: () => Promise<void> }

const NONE_PUBLISHED = { published: 0, included: 0, refused: 0 }

/**
 * Puts a mining node together; the entry of the package for each platform brings sockets and HTTP.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export function assembleMiningNode(parameters: MiningNodeParameters, platform: Platform): MiningNode {
  const { wallet, onDuplicateKey = 'stop', logger, clock, randomness } = parameters
  const { address } = wallet
  const referralAgent = parseReferralAgent(parameters.referralAgent)
  const tokenId = tokenToMine(parameters)
  const events = createEventHub()
  if (logger !== undefined) logEvents(events, logger)
  const store = createStore<MiningSnapshot>({
    initial: idleSnapshot(parameters, { address, tokenId }),
    onThrow: (error) => events.emit('failed', { error: listenerFailure('snapshot', error) }),
  })
  let watching: Watching | null = null
  let session: RunningSession | null = null
  let answered: AnsweredHashes = NO_ANSWERS
  let ending: Promise<void> | null = null

  /** State and warnings follow from what session and API said; derived here and nowhere else. */
  function derive(): void {
    const { stakes, balance, lastRefusal, warnings: before, state: stateBefore } = store.snapshot()
    const refusal = lastRefusal?.why ?? null
    const isTokenChosen = parameters.tokenId !== undefined
    const fromStakes = stakes === null ? [] : warningsOf({ facts: stakes, tokenId, isTokenChosen, balance })
    const warnings = [...socketWarnings(gatewayInUse), ...fromStakes]
    const current: SessionState = session?.state() ?? { status: 'idle' }
    const state = miningState({
      session: current,
      facts: stakes,
      warnings,
      isBalanceKnown: balance !== null,
      refusal,
    })
    store.update({
      ...(isSame(warnings, before) ? {} : { warnings }),
      ...(isSame(state, stateBefore) ? {} : { state }),
    })
  }
  let gatewayInUse: string | null = null
  store.subscribe(derive)

  function beginWatching(): void {
    if (watching !== null) return
    const { client: shared, apiUrl, network } = parameters
    if (shared === undefined && apiUrl === undefined && network === undefined) return
    const pollIntervalMs = pollIntervalOf(parameters)
    const client: Client = shared ?? platform.createClient({ apiUrl, network, logger, clock, randomness })
    const question = { address, tokenId, referralAgent }
    const account = followAccount({ client, question, pollIntervalMs, store, events })
    watching = { account, close: shared === undefined ? client.close : async () => undefined }
  }

  function beginSession(gatewayUrl: string): void {
    gatewayInUse = gatewayUrl
    const follow = followSession({ events, store, gatewayUrl })
    store.update({ publications: NONE_PUBLISHED, lastRefusal: null })
    events.emit('started', { address, tokenId, gatewayUrl })
    session = runSession({
      settings: { gatewayUrl, onDuplicateKey },
      signer: wallet,
      tokenId,
      referralAgent,
      openChannel: parameters.openChannel ?? platform.openChannel,
      verify: parameters.verify ?? platform.verify,
      clock: sessionClock(clock),
      random: randomness,
      answered,
      onState: derive,
      onFact: (fact) => {
        follow(fact)
        noteForAccount(fact)
      },
    })
    derive()
  }

  function noteForAccount(fact: SessionFact): void {
    if (fact.type === 'published') watching?.account.published(fact.microblockHash)
    if (fact.type === 'disconnected' && fact.reason.kind === 'publicationSuspected') {
      watching?.account.checkStakes()
    }
  }

  async function watch(): Promise<void> {
    await ending
    beginWatching()
  }

  async function start(): Promise<void> {
    await ending
    const gatewayUrl = gatewayUrlOf(parameters)
    beginWatching()
    if (session !== null && session.state().status !== 'stopped') return
    answered = session?.answered() ?? answered
    beginSession(gatewayUrl)
  }

  async function end(): Promise<void> {
    const { account, close } = watching ?? {}
    watching = null
    try {
      await session?.stop()
      await account?.stop()
      await close?.()
    } finally {
      ending = null
    }
  }

  function stop(): Promise<void> {
    ending ??= end()
    return ending
  }

  return {
    address,
    get state() {
      return store.snapshot().state
    },
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    on: events.on,
    watch,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function idleSnapshot(
  { client, apiUrl, network }: MiningNodeParameters,
  of: Pick<MiningSnapshot, 'address' | 'tokenId'>,
): MiningSnapshot {
  const hasApi = (client ?? apiUrl ?? network) !== undefined
  return {
    ...of,
    state: miningState({
      session: { status: 'idle' },
      facts: null,
      warnings: [],
      isBalanceKnown: false,
      refusal: null,
    }),
    height: null,
    balance: null,
    publications: NONE_PUBLISHED,
    rewards: [],
    lastReward: null,
    lastRefusal: null,
    api: hasApi ? { status: 'unknown', why: 'not asked yet' } : { status: 'unused', why: 'no API was named' },
    stakes: null,
    warnings: [],
    lastError: null,
  }
}

/** Whoever listens on the way sees who mines; they cannot sign for it. */
function socketWarnings(gatewayUrl: string | null): readonly MiningWarning[] {
  if (gatewayUrl === null) return []
  const { protocol, hostname } = new URL(gatewayUrl)
  if (protocol === 'wss:' || isPrivateHost(hostname)) return []
  const message = 'The connection to the gateway is not encrypted: others on the way can read it and cut it.'
  return [{ code: 'GATEWAY_NOT_ENCRYPTED', message }]
}
