import type { Address } from '@hailstone/mining-node'
import { isAddress } from '@hailstone/protocol'
import { accountMemory } from './account-memory.ts'
import { type AccountStore, openAccountStore } from './account-store.ts'
import { type EngineConfig, paymentJournalName, rewardStoreName, vaultNameOf } from './engine-config.ts'
import type { BetweenTabs, FromEngine, ToEngine } from './engine-messages.ts'
import type { PlainError } from './engine-state.ts'
import { openVault } from './keystore.ts'
import {
  CHANGES,
  does,
  isAccountCall,
  isClientCall,
  isRefusedLocked,
  meansShown,
  STORES,
  signalPlaceOf,
} from './local-calls.ts'
import type { MiningController } from './mining-controller.ts'
import type { Conditions } from './mining-policy.ts'
import type { ClientCallName, NetworkClient } from './network-client.ts'
import { isLeaderCall, openWithoutAccount } from './no-account.ts'
import { plainError } from './plain-error.ts'
import { openSecretCalls, type SecretCalls } from './secret-calls.ts'
import { mayHaveDatabase, openStorage, type Storage } from './storage.ts'
import { createStoredRewards, isRewardCall } from './stored-rewards.ts'
import { createTabLeader, type TabLeader } from './tab-leader.ts'
import * as tab from './tab-state.ts'
import { watchOnlyWallet } from './watch-only-wallet.ts'

/** The engine of one tab, in its worker. The leading tab mines; the others pass their calls to it. */
export type Engine = { readonly receive: (message: ToEngine) => void }

const MOVED = 'Another account has become active.'

/** Changes within this time, in ms, are sent as one state. */
const BROADCAST_DELAY_MS = 40

type Listed = (...list: readonly unknown[]) => Promise<unknown>

/** One tab: its state, and what is opened for it. */
type Tab = {
  readonly config: EngineConfig
  readonly post: (message: FromEngine) => void
  readonly storage: Storage
  readonly account: AccountStore
  /** Prefix of the names that the tabs of one brand share. */
  readonly name: string
  readonly rewards: ReturnType<typeof createStoredRewards>
  readonly channel: BroadcastChannel
  readonly id: string
  readonly secrets: SecretCalls
  readonly leader: TabLeader
  state: tab.TabState
  /** Null before its first use. */
  client: NetworkClient | null
  /** Null while this tab does not lead. */
  controller: MiningController | null
  /** Ends when the controller has followed to the account that was active last. */
  following: Promise<void>
  isBroadcastScheduled: boolean
}

function set(own: Tab, change: Partial<tab.TabState>): void {
  own.state = { ...own.state, ...change }
}

function broadcast(own: Tab, message: BetweenTabs): void {
  own.channel.postMessage(message)
}

async function hasKey(own: Tab): Promise<boolean> {
  return (await own.account.wallet()) !== null
}

/** Posts the state of the leader, the lock of this tab and the passkey to the page. */
async function postState(own: Tab): Promise<void> {
  const { account, post } = own
  try {
    set(own, { access: { tabLock: await account.tabLock(), passkey: await account.passkey() } })
  } catch (error) {
    // Mining needs no storage, so the state is still posted: otherwise the page would show an old one for ever.
    if (own.state.access === null) post({ type: 'broken', error: plainError(error) })
  }
  // The page receives what a call changed before it receives the answer.
  if (own.controller !== null) set(own, { leaderState: { isLeader: true, ...own.controller.state() } })
  const state = tab.shownState(own.state)
  if (state !== null) post({ type: 'state', state })
}

function scheduleBroadcast(own: Tab): void {
  if (own.isBroadcastScheduled) return
  own.isBroadcastScheduled = true
  setTimeout(async () => {
    own.isBroadcastScheduled = false
    if (own.controller === null) return
    await postState(own)
    // A tab without a key is asked to yield. A storage that cannot be read now is no reason for that.
    const isKeyHere = await hasKey(own).catch(() => true)
    const { leaderState, ownTerm: term } = own.state
    if (leaderState !== null)
      broadcast(own, { type: 'state', state: { ...leaderState, isLeader: false }, hasKey: isKeyHere, term })
  }, BROADCAST_DELAY_MS)
}

/** Reloads the account after its key or record changed, or another became active. */
async function accountChanged(own: Tab): Promise<void> {
  own.rewards.close()
  const active = await own.account.address()
  if (own.controller !== null && active !== own.controller.address) await follow(own)
  else await own.controller?.reload()
  await postState(own)
  // A leader without the key resigns in favour of a tab that has it.
  if (own.controller === null) broadcast(own, { type: 'whoLeads' })
}

/**
 * Returns the client of the network. Its code is loaded on first use: nothing is requested without an account.
 *
 * @throws {NodeError} if the brand's address of the network is refused, which the page is sent as well
 */
async function clientOf(own: Tab): Promise<NetworkClient> {
  const { openNetworkClient } = await import('./network-client.ts')
  try {
    own.client ??= openNetworkClient(own.config)
    return own.client
  } catch (error) {
    own.post({ type: 'broken', error: plainError(error) })
    throw error
  }
}

async function openController(own: Tab): Promise<void> {
  const { config, storage, account } = own
  const { conditions, hasSlept } = own.state
  const onChange = (): void => scheduleBroadcast(own)
  const onMoved = (): void => void accountChanged(own)
  const tools = { isAddress, plainError, watchOnlyWallet }
  const shared = { config, storage, account, conditions, hasSlept, onChange, onMoved, tools }
  const openLed = async (): Promise<MiningController> => {
    const [{ openMiningController }, client] = await Promise.all([
      import('./mining-controller.ts'),
      clientOf(own),
    ])
    return openMiningController({ ...shared, client })
  }
  const opened =
    (await account.address()) === null
      ? await openWithoutAccount({ config, onChange, readState: account.state })
      : await openLed()
  if (opened.address !== null) set(own, { hasSlept: false })
  own.controller = opened
  onChange()
  if (own.state.conditions !== conditions) void opened.setConditions(own.state.conditions)
  if ((await account.address()) !== opened.address) onMoved()
  repeatCalls(own)
}

async function showIdle(own: Tab): Promise<void> {
  if (own.state.leaderState === null || own.controller !== null) return
  own.state = tab.idle(own.state)
  await postState(own)
}

/** Repeats the calls that an earlier leader has not answered. */
function repeatCalls(own: Tab): void {
  const { next, calls } = tab.repeated(own.state)
  own.state = next
  for (const call of calls) void answer(own, call)
}

function fail(own: Tab, id: number, error: PlainError): void {
  own.post({ type: 'failure', id, error: tab.failureOf(own.state, id, error) })
}

function deleteRewards(own: Tab, of: Address): void {
  indexedDB.deleteDatabase(rewardStoreName(own.config, of))
}

/** Closes the controller and opens one for the active account. Only then does that one mine. */
function follow(own: Tab): Promise<void> {
  const { account } = own
  own.following = own.following
    .then(async () => {
      const before = own.controller
      if (before === null || before.address === (await account.address())) return
      own.controller = null
      await before.close()
      if (before.address !== null && !(await account.isKnown(before.address)))
        deleteRewards(own, before.address)
      await openController(own)
    })
    .catch(() => {
      void showIdle(own)
      // Another tab, or this one anew, opens what could not be opened.
      void own.leader.resign().then(own.leader.campaign)
    })
  return own.following
}

/** Makes this tab the leader. Resolves with a function that ends its lead. */
async function lead(own: Tab): Promise<() => Promise<void>> {
  own.state = tab.elected(own.state, crypto.randomUUID())
  await openController(own).catch(async (error: unknown) => {
    // The previous leader has ended, so its last state is out of date.
    await showIdle(own)
    throw error
  })
  return async () => {
    await own.following
    const opened = own.controller
    if (opened === null) return
    own.controller = null
    set(own, { leaderState: { ...opened.state(), isLeader: false } })
    // Also where the storage is gone, and nothing can be kept.
    await opened.close().finally(() => showIdle(own))
  }
}

/** Counts the payments of an account that is not active and whose end is not known; null if that cannot be told. */
async function unsettledPayments(own: Tab, address: Address): Promise<number | null> {
  const journalName = paymentJournalName(own.config, address)
  if (!(await mayHaveDatabase(journalName))) return 0
  const { countUnsettled } = await import('./payment-approvals.ts')
  return countUnsettled(await clientOf(own), journalName).catch(() => null)
}

async function callHere(own: Tab, call: tab.Call, signal: AbortSignal | undefined): Promise<unknown> {
  const { name: prefix, account } = own
  const { name, parameters: given } = call
  const action = isClientCall(name) && (await clientOf(own))[name as ClientCallName]
  if (action) return (action as Listed)(given ?? {})
  if (name === 'unsettledPayments') return unsettledPayments(own, given as Address)
  if (isRewardCall(name)) return own.rewards.calls[name](given as never)
  if (!isAccountCall(name)) throw new Error(`There is no call ${name}.`)
  const { parameters: list } = (given ?? { parameters: [] }) as { readonly parameters: unknown[] }
  if (signal !== undefined) list[signalPlaceOf(name) ?? 0] = signal
  if (name === 'lock' || name === 'cover') {
    broadcast(own, { type: name })
    return lockHere(own, name)
  }
  const act = async () => {
    await assertShown(own, call)
    return (account[name] as Listed)(...list)
  }
  const value = await (does(name, STORES) ? navigator.locks.request(`${prefix}-accounts`, act) : act())
  if (!does(name, CHANGES)) return value
  await accountChanged(own)
  broadcast(own, { type: 'accountChanged' })
  if (name === 'removeAccount' || name === 'forget') deleteRewards(own, list[0] as Address)
  return value
}

async function assertUnlocked(own: Tab, { name }: tab.Call): Promise<void> {
  const { config, account } = own
  if (!config.isHiddenWhileLocked || !isRefusedLocked(name)) return
  if ((await account.tabLock()) !== 'open') throw new Error('The app is locked: enter the passphrase first.')
}

/** Rejects a call from a page that still shows another account: it would be carried out on the wrong one. */
async function assertShown(own: Tab, call: tab.Call): Promise<void> {
  const { name, account } = call
  if (account === undefined || !meansShown(name) || (await own.account.address()) === account) return
  void accountChanged(own)
  broadcast(own, { type: 'accountChanged' })
  throw new Error(MOVED)
}

async function answer(own: Tab, call: tab.Call): Promise<void> {
  const { id, name, parameters, account } = call
  own.secrets.endBefore(name)
  const signal = own.secrets.begin(id, name)
  try {
    await assertUnlocked(own, call)
    await assertShown(own, call)
    if (isLeaderCall(name) && own.controller === null) {
      own.state = tab.withPending(own.state, call)
      broadcast(own, { type: 'call', from: own.id, id, name, parameters, account })
      return
    }
    const value = await (isLeaderCall(name) && own.controller !== null
      ? callLeader(own.controller, call)
      : callHere(own, call, signal))
    own.post({ type: 'answer', id, value })
  } catch (error) {
    fail(own, id, plainError(error))
  }
  own.state = tab.settled(own.state, id)
  own.secrets.done(id)
}

async function answerTab(own: Tab, call: Extract<BetweenTabs, { type: 'call' }>): Promise<void> {
  const { from: to, id, name } = call
  // Calls that arrive while another account is being opened wait until it is open.
  await own.following
  if (own.controller === null || !isLeaderCall(name)) return
  try {
    broadcast(own, { type: 'answer', to, id, value: await callLeader(own.controller, call) })
  } catch (error) {
    broadcast(own, { type: 'failure', to, id, error: plainError(error) })
  }
}

async function stepDown(own: Tab): Promise<void> {
  if (own.controller === null || (await hasKey(own))) return
  await own.leader.resign()
  own.leader.campaign()
}

async function onLeaderState(own: Tab, message: Extract<BetweenTabs, { type: 'state' }>): Promise<void> {
  const known = own.controller === null ? tab.heard(own.state, message) : null
  if (known === null) return
  own.state = known.next
  if (known.isOtherLeader) repeatCalls(own)
  await postState(own)
  if (tab.isToYield(message) && (await hasKey(own))) broadcast(own, { type: 'yield' })
}

/** Locks this tab. A tab that does not mine drops the key even when it is only covered. */
async function lockHere(own: Tab, name: 'lock' | 'cover'): Promise<void> {
  own.secrets.endBefore(name)
  const isMining = own.controller?.state().run.isWanted === true
  const how = name === 'cover' && isMining ? 'cover' : 'lock'
  await own.account[how]()
  // The page is locked also where the storage cannot be read.
  own.state = tab.lockedAs(own.state, how === 'cover' ? 'covered' : 'locked')
  await accountChanged(own).catch(() => postState(own))
}

function receiveAnswer(own: Tab, message: Extract<BetweenTabs, { type: 'answer' | 'failure' }>): void {
  const { id, to } = message
  if (to !== own.id || !tab.isPending(own.state, id)) return
  if (message.type === 'answer') own.post({ type: 'answer', id, value: message.value })
  else fail(own, id, message.error)
  own.state = tab.settled(own.state, id)
}

function receiveFromTab(own: Tab, message: BetweenTabs): void {
  const { type } = message
  if (type === 'state') void onLeaderState(own, message)
  if (type === 'whoLeads' && own.controller !== null) scheduleBroadcast(own)
  if (type === 'yield') void stepDown(own)
  if (type === 'lock' || type === 'cover') void lockHere(own, type)
  if (type === 'accountChanged') void accountChanged(own)
  if (type === 'call') void answerTab(own, message)
  if (type === 'answer' || type === 'failure') receiveAnswer(own, message)
}

function campaign(own: Tab): void {
  own.leader.campaign()
  broadcast(own, { type: 'whoLeads' })
}

function receive(own: Tab, message: ToEngine): void {
  const { type } = message
  if (type === 'call') void answer(own, message)
  if (type === 'ping') own.post({ type: 'alive' })
  if (type === 'cancel') own.secrets.cancel(message.id)
  if (type === 'conditions') {
    set(own, { conditions: message.conditions })
    void own.controller?.setConditions(message.conditions)
  }
  if (type === 'asleep') {
    set(own, { hasSlept: true })
    void own.leader.resign()
  }
  if (type === 'awake') campaign(own)
}
async function callLeader(
  leads: MiningController,
  { name, parameters, account }: tab.Call,
): Promise<unknown> {
  if (!isLeaderCall(name)) return
  if (account !== undefined && account !== leads.address) throw new Error(MOVED)
  return (leads.calls[name] as Listed)(parameters)
}

/** @param remembered accounts whose keys this browser has stored, from the page's memory */
export async function createEngine({
  config,
  conditions,
  remembered,
  post,
}: Pick<Tab, 'config' | 'post'> & {
  readonly conditions: Conditions
  readonly remembered: readonly Address[]
}): Promise<Engine> {
  const name = `hailstone-${config.brandId}`
  const storage = await openStorage(name)
  const vaultName = vaultNameOf(config)
  const memory = accountMemory(remembered, (change) => post({ type: 'remember', vaultName, ...change }))
  const vault = await openVault(vaultName, memory)
  // Earlier versions of the app kept no such list.
  memory.write([...new Set([...memory.read(), ...(await vault.list())])])
  const account = await openAccountStore({ storage, vault, rules: config })
  const own: Tab = {
    config,
    post,
    storage,
    account,
    name,
    rewards: createStoredRewards({ config, account }),
    channel: new BroadcastChannel(name),
    id: crypto.randomUUID(),
    secrets: openSecretCalls(),
    leader: createTabLeader({ name: `${name}-owner`, onElected: () => lead(own) }),
    state: tab.firstTab(conditions),
    client: null,
    controller: null,
    following: Promise.resolve(),
    isBroadcastScheduled: false,
  }
  own.channel.onmessage = ({ data }: MessageEvent<BetweenTabs>) => receiveFromTab(own, data)
  campaign(own)
  return { receive: (message) => receive(own, message) }
}
