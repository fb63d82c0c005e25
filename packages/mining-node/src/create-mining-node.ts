import { prepareSessions } from './create-mining-session.ts'
import { createEventHub } from './events.ts'
import { followSession } from './follow-session.ts'
import { API_WAIT_MS } from './hold-reason.ts'
import { idleSnapshot } from './idle-snapshot.ts'
import { logEvents } from './log-events.ts'
import type { MiningNode, MiningNodeParameters, Platform } from './mining-node.ts'
import { type GatewayUrls, leaderStatus } from './mining-settings.ts'
import { judgeNode } from './node-judgement.ts'
import { withSession } from './node-knowledge.ts'
import { watchForNode } from './node-watching.ts'
import { openOwnRecord } from './own-record.ts'
import { serialQueue } from './serial-queue.ts'
import type { SessionEvent } from './session/effect.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { createStore } from './store/mining-store.ts'

/**
 * Puts a mining node together; the entry of the package for each platform brings sockets and HTTP.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export function assembleMiningNode(parameters: MiningNodeParameters, platform: Platform): MiningNode {
  const { logger, cursors, client, apiUrl, network, wallet } = parameters
  const { address } = wallet
  const hasApi = (client ?? apiUrl ?? network) !== undefined
  const sessions = prepareSessions(parameters, platform, { onEvent, onState: () => derive() })
  const { clock, mined } = sessions
  const events = createEventHub(logger ?? client?.logger, platform.expectedEvent)
  if (logger !== undefined) logEvents(events, logger)
  const leaderCheck = { status: leaderStatus(parameters, sessions.leader), refused: 0 }
  const store = createStore<MiningSnapshot>({
    initial: idleSnapshot({ address, tokenId: mined.tokenId, hasApi, leaderCheck }),
    onError: (error) => events.emit('failed', { error }),
  })
  const parts = { parameters, sessions, store, events, hasApi, inTurn: serialQueue() }
  const judgement = judgeNode(parts, () => watching.account()?.behind() ?? null)
  const { known, learn, derive, heldBy } = judgement
  const watching = watchForNode(parts, judgement)
  const { inTurn } = parts
  const follow = followSession({ events, store, clock })
  const record = cursors && openOwnRecord({ store: cursors, name: `session:${address}`, clock })
  let cancelApiWait: () => void = () => undefined
  /** True between `watch` and `close`: watching outlives mining. */
  let isWatchWanted = false
  store.subscribe(derive)

  async function beginSession(urls: GatewayUrls): Promise<void> {
    learn(withSession(known(), urls))
    store.update({ lastRefusal: null })
    events.emit('started', { address, tokenId: mined.tokenId, gatewayUrl: urls[0] })
    const ownRecordAt = sessions.current() === null ? await record?.lastAliveAt() : undefined
    cancelApiWait = clock.after(API_WAIT_MS, () => {
      learn({ isApiOverdue: true })
      derive()
    })
    sessions.begin(urls, { ownRecordAt, heldBy: heldBy() ?? undefined })
    derive()
  }

  function onEvent(event: SessionEvent): void {
    follow(event, String(known().gatewayUrls[0]))
    if (event.type === 'hailed' || event.type === 'published') record?.alive()
    watching.onEvent(event)
  }

  async function start(): Promise<void> {
    const place = sessions.place()
    const isWatched = watching.isOn()
    watching.begin()
    if (place === null) return
    // What ended the session before may still hold.
    if (isWatched) watching.account()?.check()
    try {
      await beginSession(place)
    } catch (error) {
      if (!isWatched) await watching.end()
      throw error
    }
  }

  async function stop(): Promise<void> {
    cancelApiWait()
    await sessions.current()?.stop()
    await record?.settled()
    if (!isWatchWanted) await watching.end()
  }

  async function want(isWanted: boolean): Promise<void> {
    isWatchWanted = isWanted
    if (isWanted) watching.begin()
    else await stop()
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
    watch: () => inTurn(() => want(true)),
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    close: () => inTurn(() => want(false)),
    [Symbol.asyncDispose]: () => inTurn(() => want(false)),
  }
}
