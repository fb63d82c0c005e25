import { type ClientCore, createClientCore } from '@hailstone/client'
import type { TokenId } from '@hailstone/protocol'
import { type FollowedAccount, followAccount } from './follow-account.ts'
import { followToken } from './follow-token.ts'
import { doubtOf } from './hold-reason.ts'
import { withSettled } from './inclusion.ts'
import { pollIntervalOf } from './mining-settings.ts'
import { networkHeard } from './network-word.ts'
import type { NodeJudgement, NodeParts } from './node-judgement.ts'
import { tokenHeard } from './node-knowledge.ts'
import { unknownToken } from './report-failure.ts'
import { isCut } from './session/connection.ts'
import type { SessionEvent } from './session/effect.ts'
import type { RunningSession } from './session/run-session.ts'

/** What a node learns from the API, from the first question for the token on. */
export type NodeWatching = {
  /** Null while nothing is followed. */
  readonly account: () => FollowedAccount | null
  readonly isOn: () => boolean
  /** Does nothing where it is on, and without an API. */
  readonly begin: () => void
  readonly end: () => Promise<void>
  readonly onEvent: (event: SessionEvent) => void
}

export function watchForNode(
  { parameters, sessions, store, events, hasApi }: NodeParts,
  { known, learn, derive, heldBy }: NodeJudgement,
): NodeWatching {
  const { client: shared, wallet, blockTimeMs = 15_000 } = parameters
  const { mined, referralAgent, clock } = sessions
  const feed: RunningSession['feed'] = (input) => sessions.current()?.feed(input)
  const pollIntervalMs = pollIntervalOf(parameters)
  let token: ReturnType<typeof followToken> | null = null
  let account: FollowedAccount | null = null
  let client: ClientCore | undefined

  const isOn = (): boolean => account !== null || token !== null

  function begin(): void {
    if (isOn() || !hasApi) return
    learn({ openKeyBlock: undefined })
    client = shared ?? createClientCore(parameters)
    const beganAtMs = client.clock.monotonicMs()
    if (parameters.tokenId !== undefined) {
      follow(client, beganAtMs)
      return
    }
    const asked = client
    const onLearned = (tokenId: TokenId): void => {
      // A session that hailed with the preset meanwhile leaves the gateway and comes back with the right one.
      const isOther = tokenId !== mined.tokenId && heldBy() === null
      if (isOther) feed({ type: 'held', reason: { kind: 'nativeTokenUnknown', detail: '' } })
      mined.tokenId = tokenId
      learn({ isTokenKnown: true })
      store.update({ tokenId })
      follow(asked, beganAtMs)
    }
    token = followToken({
      client,
      pollIntervalMs,
      onLearned,
      onError: unknownToken({ client, store, events }),
    })
  }

  function follow(client: ClientCore, beganAtMs: number): void {
    account = followAccount({
      ...parameters,
      client,
      question: { address: wallet.address, tokenId: mined.tokenId, referralAgent },
      pollIntervalMs,
      blockTimeMs,
      beganAtMs,
      store,
      events,
      openKeyBlock: () => known().openKeyBlock,
      isStakeAwaited: () => heldBy()?.kind === 'stakeTooLow',
      onChainGrew: () => {
        // A stake that is too low explains the silence.
        const isExplained = store.snapshot().warnings.some(({ code }) => code === 'STAKE_TOO_LOW')
        if (!isExplained) feed({ type: 'chainGrew' })
      },
      onSettled: (isIncluded) => {
        learn({ inclusion: withSettled(known().inclusion, isIncluded) })
        derive()
        if (known().inclusion.isAlarm) feed({ type: 'publicationsIgnored' })
      },
      isDoubted: () => doubtOf(known()) !== null && sessions.current()?.state().status !== 'stopped',
      onStakesRead: (facts, sources) =>
        learn({ token: tokenHeard(known(), facts, mined.tokenId, { sources, atMs: clock.now() }) }),
      onNetworkRead: (isRight, sources) => {
        learn({ network: networkHeard(known().network, { isRight, sources, atMs: clock.now() }) })
        derive()
      },
    })
    // The session may have hailed before the token was learned.
    const status = sessions.current()?.state().status
    account.linked(status === 'waitingForBeacon' || status === 'mining')
  }

  async function end(): Promise<void> {
    // The token first: what it learns begins the other.
    await token?.stop()
    token = null
    const before = account
    account = null
    await before?.stop()
    // Another one is not ours to close.
    if (client !== shared) await client?.close()
  }

  function onEvent(event: SessionEvent): void {
    const { type } = event
    if (type === 'beaconReceived') {
      if (event.keyBlockHash !== known().newestKeyBlock) account?.keyBlockOpened()
      learn({ newestKeyBlock: event.keyBlockHash })
    }
    if (type === 'hailed' || type === 'beaconReceived') {
      account?.offered()
      account?.linked(true)
    }
    if (type === 'disconnected' || type === 'stopped') account?.linked(false)
    if (type === 'published') {
      // Not before: a beacon that was not checked can name any key block.
      learn({ openKeyBlock: known().openKeyBlock ?? event.keyBlockHash })
      account?.published(event.microblockHash, event.keyBlockHash)
    }
    if (type === 'disconnected' && isCut(event.reason)) account?.check()
  }

  return { account: () => account, isOn, begin, end, onEvent }
}
