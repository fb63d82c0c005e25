import type { ClientCore } from '@hailstone/client'
import { parseAddress, type TokenId } from '@hailstone/protocol'
import type { ExpectedEvent } from './assert-listens.ts'
import { assertAccountWatch } from './check-arguments.ts'
import { createEventHub } from './events.ts'
import { type FollowedAccount, followAccount } from './follow-account.ts'
import { followToken } from './follow-token.ts'
import { idleSnapshot } from './idle-snapshot.ts'
import type { MiningNode, MiningNodeParameters } from './mining-node.ts'
import { parseReferralAgent, pollIntervalOf, tokenToMine } from './mining-settings.ts'
import { unknownToken } from './report-failure.ts'
import { serialQueue } from './serial-queue.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { createStore } from './store/mining-store.ts'

/** Parameters of {@link createAccountWatch}. */
export type AccountWatchParameters = Pick<
  MiningNodeParameters,
  'tokenId' | 'referralAgent' | 'cursors' | 'followReferrals' | 'blockTimeMs' | 'pollIntervalMs'
> & {
  /** 66 hex digits; nobody has to have its key. */
  readonly address: string
  /** It is not closed with the watch. */
  readonly client: ClientCore
}

/** The part of a mining node that only reads: it has no key, opens no socket and signs nothing. */
export type AccountWatch = AsyncDisposable &
  Pick<MiningNode, 'address' | 'snapshot' | 'subscribe' | 'on' | 'watch' | 'close'>

/**
 * Puts the watch of an account together; what the name of an event should have been depends on the entry.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 */
export function assembleAccountWatch(
  parameters: AccountWatchParameters,
  expectedEvent?: ExpectedEvent,
): AccountWatch {
  assertAccountWatch(parameters)
  const { client, cursors, followReferrals, blockTimeMs = 15_000 } = parameters
  const address = parseAddress(parameters.address)
  const tokenId = tokenToMine(parameters)
  const referralAgent = parseReferralAgent(parameters.referralAgent)
  const events = createEventHub(client.logger, expectedEvent)
  const store = createStore<MiningSnapshot>({
    initial: idleSnapshot({ address, tokenId, hasApi: true, leaderCheck: { status: 'noKey', refused: 0 } }),
    onError: (error) => events.emit('failed', { error }),
  })
  const inTurn = serialQueue()
  const nothing = (): void => undefined
  const pollIntervalMs = pollIntervalOf({ ...parameters, blockTimeMs })
  let token: ReturnType<typeof followToken> | null = null
  let account: FollowedAccount | null = null

  async function watch(): Promise<void> {
    if (account !== null || token !== null) return
    const beganAtMs = client.clock.monotonicMs()
    const follow = (learned: TokenId): void => begin(learned, beganAtMs)
    if (parameters.tokenId !== undefined) return follow(tokenId)
    token = followToken({
      client,
      pollIntervalMs,
      onLearned: follow,
      onError: unknownToken({ client, store, events }),
    })
  }

  function begin(learned: TokenId, beganAtMs: number): void {
    store.update({ tokenId: learned })
    account = followAccount({
      client,
      question: { address, tokenId: learned, referralAgent },
      pollIntervalMs,
      blockTimeMs,
      beganAtMs,
      store,
      events,
      cursors,
      followReferrals,
      onChainGrew: nothing,
    })
  }

  async function close(): Promise<void> {
    // The token first: what it learns begins the other.
    await token?.stop()
    token = null
    const before = account
    account = null
    await before?.stop()
  }

  return {
    address,
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    on: events.on,
    watch: () => inTurn(watch),
    close: () => inTurn(close),
    [Symbol.asyncDispose]: () => inTurn(close),
  }
}
