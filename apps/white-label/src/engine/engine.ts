import { type Client, createClient } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { isAddress, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { accountMemory } from './account-memory.ts'
import { openAccountStore } from './account-store.ts'
import { type EngineConfig, paymentJournalName, rewardStoreName, vaultNameOf } from './engine-config.ts'
import type { BetweenTabs, FromEngine, ToEngine } from './engine-messages.ts'
import type { EngineState, PlainError, PlainSnapshot, SharedState } from './engine-state.ts'
import { openVault } from './keystore.ts'
import {
  accountChangingCalls,
  accountStoringCalls,
  allowedWhileLocked,
  callsOfAnyAccount,
  endedBy,
  isAccountCall,
  isClientCall,
  signalPlaces,
} from './local-calls.ts'
import type { MiningController } from './mining-controller.ts'
import type { Conditions } from './mining-policy.ts'
import { openWithoutAccount } from './no-account.ts'
import { plainError } from './plain-error.ts'
import { mayHaveDatabase, openStorage } from './storage.ts'
import { createStoredRewards, isRewardCall } from './stored-rewards.ts'
import { createTabLeader } from './tab-leader.ts'
import { isLeaderCall, type LeaderCalls, leaderCalls } from './tab-rpc.ts'
import { watchOnlyWallet } from './watch-only-wallet.ts'

/** The engine of one tab, in its worker. The leading tab mines; the others pass their calls to it. */
export type Engine = { readonly receive: (message: ToEngine) => void }

/** Account that the calling page shows; null for none, undefined before it shows any. */
type Shown = Address | null | undefined

const MOVED = 'Another account has become active.'

/** State between two leaders, when no tab mines. */
const IDLE: PlainSnapshot['state'] = { status: 'idle', why: '', nextStep: '' }

/** Code of `payment-approvals.ts`, which the first page does not load. */
const NOT_APPROVED = 'PAYMENT_NOT_APPROVED'

/** Changes within this time, in ms, are sent as one state. */
const BROADCAST_DELAY_MS = 40

/** True if the page can show it; what another page of this origin makes up may still be untrue. */
function isState(state: Partial<EngineState> | undefined): boolean {
  const { account, run, rewards, policy, payments, log } = state ?? {}
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
  return (
    typeof account?.status === 'string' &&
    [run, policy].every(isObject) &&
    (rewards === null || isObject(rewards?.totals)) &&
    [payments, log].every((list) => Array.isArray(list))
  )
}

export async function createEngine(parameters: {
  readonly config: EngineConfig
  readonly conditions: Conditions
  /** Accounts whose keys this browser has stored, from the page's memory. */
  readonly remembered: readonly Address[]
  readonly post: (message: FromEngine) => void
}): Promise<Engine> {
  const { config, post } = parameters
  const name = `hailstone-${config.brandId}`
  const storage = await openStorage(name)
  const client: Client = createClient({
    network: {
      name: 'custom',
      apiUrl: config.apiUrl,
      gatewayUrl: config.gatewayUrls[0] ?? '',
      nativeTokenId: ZERO_TOKEN_ID,
      isNativeTokenAssumed: true,
      nativeSymbol: '',
      nativeDecimals: 10,
      tokenDecimals: config.tokenDecimals,
    },
  })
  const vaultName = vaultNameOf(config)
  const memory = accountMemory(parameters.remembered, (change) =>
    post({ type: 'remember', vaultName, ...change }),
  )
  const vault = await openVault(vaultName, memory)
  // Earlier versions of the app kept no such list.
  memory.write([...new Set([...memory.read(), ...(await vault.list())])])
  const account = await openAccountStore({ storage, vault, rules: config })
  const storedRewards = createStoredRewards({ config, account })
  const tabs = new BroadcastChannel(name)
  const self = crypto.randomUUID()
  /** Calls to the leader that are not answered yet. They are repeated to the next leader, which may be this tab. */
  const pendingCalls = new Map<
    number,
    { readonly call: string; readonly given: unknown; readonly shown: Shown }
  >()
  /** Those among them that an earlier leader may have carried out. */
  const repeatedApprovals = new Set<number>()
  /** Calls for secrets that are not answered yet, each until its asker leaves. */
  const secretCalls = new Map<number, { readonly call: string; readonly asker: AbortController }>()
  let conditions = parameters.conditions
  let controller: MiningController | null = null
  /** Last state of the leader; null until one was received. */
  let leaderState: SharedState | null = null
  /** Term in the last message of a leader; null before the first one. */
  let leaderTerm: string | undefined | null = null
  let ownTerm = ''
  let isBroadcastScheduled = false
  /** True from the freeze of this page until this tab leads again. */
  let hasSlept = false

  const broadcast = (message: BetweenTabs): void => tabs.postMessage(message)
  const hasKey = async (): Promise<boolean> => (await account.wallet()) !== null

  /** Lock and passkey of this tab as last read from the storage; null before the first read. */
  let ownState: Pick<EngineState, 'tabLock' | 'passkey'> | null = null

  /** Posts the state of the leader, the lock of this tab and the passkey to the page. */
  async function postState(): Promise<void> {
    try {
      ownState = { tabLock: await account.tabLock(), passkey: await account.passkey() }
    } catch (error) {
      // Mining needs no storage, so the state is still posted: otherwise the page would show an old one for ever.
      if (ownState === null) post({ type: 'broken', error: plainError(error) })
    }
    // What a call has changed is on the page before its answer.
    if (controller !== null) leaderState = { isLeader: true, ...controller.state() }
    if (leaderState !== null && ownState !== null)
      post({ type: 'state', state: { ...leaderState, ...ownState } })
  }

  function scheduleBroadcast(): void {
    if (isBroadcastScheduled) return
    isBroadcastScheduled = true
    setTimeout(async () => {
      isBroadcastScheduled = false
      if (controller === null) return
      await postState()
      // A tab without a key is asked to yield. A storage that cannot be read now is no reason for that.
      const isKeyHere = await hasKey().catch(() => true)
      if (leaderState !== null)
        broadcast({
          type: 'state',
          state: { ...leaderState, isLeader: false },
          hasKey: isKeyHere,
          term: ownTerm,
        })
    }, BROADCAST_DELAY_MS)
  }

  /** Reloads the account after its key or record changed, or another became active. */
  async function accountChanged(): Promise<void> {
    storedRewards.close()
    const active = await account.address()
    if (controller !== null && active !== controller.address) await follow()
    else await controller?.reload()
    await postState()
    // A leader without the key resigns in favour of a tab that has it.
    if (controller === null) broadcast({ type: 'whoLeads' })
  }

  async function openController(): Promise<void> {
    const given = conditions
    const onChange = scheduleBroadcast
    const onMoved = (): void => void accountChanged()
    const tools = { isAddress, plainError, watchOnlyWallet }
    const shared = { config, client, storage, account, conditions, hasSlept, onChange, onMoved, tools }
    const opened =
      (await account.address()) === null
        ? await openWithoutAccount({ config, onChange, readState: account.state })
        : await (await import('./mining-controller.ts')).openMiningController(shared)
    if (opened.address !== null) hasSlept = false
    controller = opened
    scheduleBroadcast()
    if (conditions !== given) void opened.setConditions(conditions)
    if ((await account.address()) !== opened.address) void accountChanged()
    passPendingOn()
  }

  /** Shows the last state as one in which nobody mines, until a tab leads and says otherwise. */
  async function showIdle(): Promise<void> {
    if (leaderState === null || controller !== null) return
    const { snapshot } = leaderState
    leaderState = { ...leaderState, snapshot: snapshot && { ...snapshot, state: IDLE }, isLeader: false }
    await postState()
  }

  /** Repeats the calls that an earlier leader has not answered. */
  function passPendingOn(): void {
    const pending = [...pendingCalls]
    pendingCalls.clear()
    for (const [id, { call, given, shown }] of pending) {
      if (call === 'approvePayment') repeatedApprovals.add(id)
      void answer(id, call, given, shown)
    }
  }

  /**
   * Posts why a call failed. An approval that an earlier leader may have carried out failed for certain only if the next
   * one has looked into the journal.
   */
  function fail(id: number, error: PlainError): void {
    const isSure = !repeatedApprovals.delete(id) || error.code === NOT_APPROVED
    post({ type: 'failure', id, error: isSure ? error : { ...error, code: 'APPROVAL_LOST' } })
  }

  const deleteRewards = (of: Address): void => void indexedDB.deleteDatabase(rewardStoreName(config, of))

  /** Ends when the controller has followed to the account that was active last. */
  let following: Promise<void> = Promise.resolve()

  /** Closes the controller and opens one for the active account. Only then does that one mine. */
  function follow(): Promise<void> {
    following = following
      .then(async () => {
        const before = controller
        if (before === null || before.address === (await account.address())) return
        controller = null
        await before.close()
        if (before.address !== null && !(await account.isKnown(before.address))) deleteRewards(before.address)
        await openController()
      })
      .catch(() => {
        void showIdle()
        // Another tab, or this one anew, opens what could not be opened.
        void leader.resign().then(leader.campaign)
      })
    return following
  }

  const leader = createTabLeader({
    name: `${name}-owner`,
    onElected: async () => {
      ownTerm = crypto.randomUUID()
      // So that the next leader counts as another one even if no other was seen before.
      leaderTerm = ownTerm
      await openController().catch(async (error: unknown) => {
        // The leader before has gone, whatever it said last.
        await showIdle()
        throw error
      })
      return async () => {
        await following
        const opened = controller
        if (opened === null) return
        controller = null
        leaderState = { ...opened.state(), isLeader: false }
        // Also where the storage is gone, and nothing can be kept.
        await opened.close().finally(showIdle)
      }
    },
  })

  async function callLeader(
    own: MiningController,
    call: keyof LeaderCalls,
    given: unknown,
    shown: Shown,
  ): Promise<unknown> {
    if (shown !== undefined && shown !== own.address) throw new Error(MOVED)
    return (leaderCalls(own)[call] as (given: unknown) => Promise<unknown>)(given)
  }

  /** Counts the payments of an account that is not active and whose end is not known; null if that cannot be told. */
  async function unsettledPayments(address: Address): Promise<number | null> {
    const journalName = paymentJournalName(config, address)
    if (!(await mayHaveDatabase(journalName))) return 0
    const { countUnsettled } = await import('./payment-approvals.ts')
    return countUnsettled(client, journalName).catch(() => null)
  }

  /** Drops the secrets of calls whose asker is gone after this one. */
  function endCallsBefore(call: string): void {
    for (const { call: open, asker } of secretCalls.values()) if (endedBy[call]?.includes(open)) asker.abort()
  }

  async function callHere(
    call: string,
    given: unknown,
    shown: Shown,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (isClientCall(call)) return (client[call] as (given: unknown) => Promise<unknown>)(given ?? {})
    if (call === 'unsettledPayments') return unsettledPayments(given as Address)
    if (isRewardCall(call)) return storedRewards.calls[call](given as never)
    if (!isAccountCall(call)) throw new Error(`There is no call ${call}.`)
    const { parameters: list } = (given ?? { parameters: [] }) as { readonly parameters: unknown[] }
    if (signal !== undefined) list[signalPlaces[call] ?? 0] = signal
    if (call === 'lock' || call === 'cover') {
      broadcast({ type: call })
      return lockHere(call)
    }
    const act = async () => {
      await assertShown(call, shown)
      return (account[call] as (...list: readonly unknown[]) => Promise<unknown>)(...list)
    }
    const value = await (accountStoringCalls.has(call)
      ? navigator.locks.request(`${name}-accounts`, act)
      : act())
    if (!accountChangingCalls.has(call)) return value
    await accountChanged()
    broadcast({ type: 'accountChanged' })
    if (call === 'removeAccount' || call === 'forget') deleteRewards(list[0] as Address)
    return value
  }

  async function assertUnlocked(call: string): Promise<void> {
    if (!config.isHiddenWhileLocked || isClientCall(call) || allowedWhileLocked.has(call)) return
    if ((await account.tabLock()) !== 'open')
      throw new Error('The app is locked: enter the passphrase first.')
  }

  /** Refuses a call from a page that still shows another account, which would do to this one what was meant for that. */
  async function assertShown(call: string, shown: Shown): Promise<void> {
    if (shown === undefined || isClientCall(call) || callsOfAnyAccount.has(call)) return
    if ((await account.address()) === shown) return
    void accountChanged()
    broadcast({ type: 'accountChanged' })
    throw new Error(MOVED)
  }

  async function answer(id: number, call: string, given: unknown, shown: Shown): Promise<void> {
    endCallsBefore(call)
    const asker = new AbortController()
    if (call in signalPlaces) secretCalls.set(id, { call, asker })
    const signal = secretCalls.has(id) ? asker.signal : undefined
    try {
      await assertUnlocked(call)
      await assertShown(call, shown)
      if (isLeaderCall(call) && controller === null) {
        pendingCalls.set(id, { call, given, shown })
        broadcast({ type: 'call', from: self, id, name: call, parameters: given, account: shown })
        return
      }
      const value =
        isLeaderCall(call) && controller !== null
          ? await callLeader(controller, call, given, shown)
          : await callHere(call, given, shown, signal)
      post({ type: 'answer', id, value })
    } catch (error) {
      fail(id, plainError(error))
    }
    secretCalls.delete(id)
  }

  async function answerTab(message: Extract<BetweenTabs, { type: 'call' }>): Promise<void> {
    const { from: to, id, name: call, parameters: given, account: shown } = message
    // What comes while another account is being opened waits for it.
    await following
    if (controller === null || !isLeaderCall(call)) return
    try {
      broadcast({ type: 'answer', to, id, value: await callLeader(controller, call, given, shown) })
    } catch (error) {
      broadcast({ type: 'failure', to, id, error: plainError(error) })
    }
  }

  async function stepDown(): Promise<void> {
    if (controller === null || (await hasKey())) return
    await leader.resign()
    leader.campaign()
  }

  async function onLeaderState(message: Extract<BetweenTabs, { type: 'state' }>): Promise<void> {
    if (controller !== null || !isState(message.state)) return
    // The first one that is heard, too: it may have been opening what it needs when it was asked.
    const isOtherLeader = leaderTerm !== message.term
    leaderTerm = message.term
    if (isOtherLeader) passPendingOn()
    leaderState = { ...message.state, isLeader: false }
    await postState()
    if (message.hasKey) return
    const { status } = message.state.account
    if (status !== 'none' && (await hasKey())) broadcast({ type: 'yield' })
  }

  /** Locks this tab. A tab that does not mine drops the key even when it is only covered. */
  async function lockHere(name: 'lock' | 'cover'): Promise<void> {
    endCallsBefore(name)
    const isMining = controller?.state().run.isWanted === true
    await account[name === 'cover' && isMining ? 'cover' : 'lock']()
    await accountChanged()
  }

  tabs.onmessage = ({ data }: MessageEvent<BetweenTabs>) => {
    if (data.type === 'state') void onLeaderState(data)
    if (data.type === 'whoLeads' && controller !== null) scheduleBroadcast()
    if (data.type === 'yield') void stepDown()
    if (data.type === 'lock' || data.type === 'cover') void lockHere(data.type)
    if (data.type === 'accountChanged') void accountChanged()
    if (data.type === 'call') void answerTab(data)
    if (
      (data.type === 'answer' || data.type === 'failure') &&
      data.to === self &&
      pendingCalls.delete(data.id)
    ) {
      const { id } = data
      if (data.type === 'answer') post({ type: 'answer', id, value: data.value })
      else fail(id, data.error)
    }
  }

  leader.campaign()
  broadcast({ type: 'whoLeads' })

  return {
    receive: (message) => {
      if (message.type === 'call') void answer(message.id, message.name, message.parameters, message.account)
      if (message.type === 'ping') post({ type: 'alive' })
      if (message.type === 'cancel') secretCalls.get(message.id)?.asker.abort()
      if (message.type === 'conditions') {
        conditions = message.conditions
        void controller?.setConditions(conditions)
      }
      if (message.type === 'asleep') {
        hasSlept = true
        void leader.resign()
      }
      if (message.type === 'awake') {
        leader.campaign()
        broadcast({ type: 'whoLeads' })
      }
    },
  }
}
