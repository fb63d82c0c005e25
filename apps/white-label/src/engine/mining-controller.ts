import type { Wallet } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import type { AccountNode } from './account-node.ts'
import type { AccountStore } from './account-store.ts'
import { keepValues, readAccount } from './account-values.ts'
import {
  type ControllerState,
  counted,
  firstState,
  pauseOf,
  readingsOf,
  shouldRun,
  shownPayout,
  shownSnapshot,
  ticked,
  withReadings,
} from './controller-state.ts'
import { type EngineConfig, paymentJournalName } from './engine-config.ts'
import { type AccountState, addressOf, type PlainError, type SharedState } from './engine-state.ts'
import type { OlderRewards, RewardFollower } from './follow-rewards.ts'
import { leaderCalls } from './leader-calls.ts'
import { mayTakeAgent } from './may-take-agent.ts'
import { type Conditions, type MiningPolicy, stricterPolicy } from './mining-policy.ts'
import type { NetworkClient } from './network-client.ts'
import { openAccountNode } from './open-account-node.ts'
import { type OpenOnce, openOnce } from './open-once.ts'
import type { PaymentApprovals } from './payment-approvals.ts'
import { type AgreedPayout, agreedPayoutOf, type PayoutWait } from './payout-setting.ts'
import type { plainError } from './plain-error.ts'
import { mayHaveDatabase, type Storage, type Values } from './storage.ts'
import type { LeaderCalls } from './tab-rpc.ts'
import type { watchOnlyWallet } from './watch-only-wallet.ts'
import { createWorkLog, logNode, type WorkEntry, type WorkLog } from './work-log.ts'

/** The leader's part of the engine for one account: the node, the payments and the log. */
export type MiningController = {
  /** Address of the account; null without one. */
  readonly address: Address | null
  readonly state: () => Omit<SharedState, 'isLeader'>
  readonly calls: LeaderCalls
  readonly setConditions: (conditions: Conditions) => Promise<void>
  /** Reads the account again after it was changed in storage, here or in another tab, but not for another one. */
  readonly reload: () => Promise<void>
  readonly close: () => Promise<void>
}

export type MiningControllerParameters = {
  readonly config: EngineConfig
  readonly client: NetworkClient
  readonly storage: Storage
  readonly account: AccountStore
  readonly conditions: Conditions
  /** True if the page was frozen since it led last; time in which no tab mined is then logged as a gap. */
  readonly hasSlept: boolean
  readonly onChange: () => void
  /** Called when something is to be stored and the account is not active any more. */
  readonly onMoved: () => void
  /** Given by the engine, whose code has them: imported here, they would become files of their own. */
  readonly tools: {
    readonly isAddress: (value: unknown) => value is Address
    readonly plainError: typeof plainError
    readonly watchOnlyWallet: typeof watchOnlyWallet
  }
}

const TICK_MS = 2_000
/** Pause between two checks for a payout that is due, in ms. */
const PAYOUT_PAUSE_MS = 30_000

/** The account of a controller while it leads: one state, and what is opened for it. */
class LedAccount {
  readonly address: Address | null
  readonly #given: MiningControllerParameters
  readonly #log: WorkLog
  readonly #payments: OpenOnce<PaymentApprovals>
  readonly #rewards: OpenOnce<RewardFollower>
  #state: ControllerState
  #node: AccountNode | null = null
  #paymentsFault: PlainError | null = null
  #queue: Promise<void> = Promise.resolve()
  /** Time of the next check for a payout that is due, by the monotonic clock, in ms. */
  #payoutAtMs = 0
  /** Cancels the check that is running; null while none runs. */
  #payoutLook: AbortController | null = null
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(
    given: MiningControllerParameters,
    { account, kept }: { readonly account: AccountState; readonly kept: Values },
  ) {
    const { config, conditions, hasSlept, tools, onChange } = given
    const { isAddress } = tools
    this.#given = given
    this.address = addressOf(account)
    this.#state = firstState({ config, account, kept, conditions, hasSlept, isAddress, atMs: Date.now() })
    this.#log = createWorkLog({
      kept: (kept.log as readonly WorkEntry[] | undefined) ?? [],
      onChange: (entries) => {
        this.#note({ log: entries })
        onChange()
      },
    })
    this.#payments = openOnce(() => this.#makePayments())
    this.#rewards = openOnce(() => this.#makeRewards())
  }

  #set(change: Partial<ControllerState>): void {
    this.#state = { ...this.#state, ...change }
  }

  /** Stores values, as long as the account is active. Returns whether it stored them. */
  async #keep(values: Values): Promise<boolean> {
    const isOwn = await keepValues(this.#given.storage, this.address, values)
    if (!isOwn && !this.#state.isClosed) this.#given.onMoved()
    return isOwn
  }

  /** Stores what a later change stores again. The browser may have deleted what is stored, which is no error of a tick. */
  #note(values: Values): void {
    this.#keep(values).catch(() => undefined)
  }

  /** Stores what a person has chosen. @throws {Error} if the account is not active any more */
  async #keepChoice(values: Values): Promise<void> {
    if (!(await this.#keep(values))) throw new Error('Another account has become active.')
  }

  /** Runs changes of the node one after another. */
  inOrder(change: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(change)
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Opens the account. What was opened is closed again if that fails. */
  async begin(): Promise<void> {
    this.#noteTick()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    try {
      await this.inOrder(() => this.#openAccount())
      await this.inOrder(() => this.applyPolicy())
    } catch (error) {
      clearInterval(this.#timer)
      this.#set({ isClosed: true })
      await this.inOrder(() => this.#closeAccount())
      throw error
    }
  }

  async close(): Promise<void> {
    this.#set({ isClosed: true })
    clearInterval(this.#timer)
    const { tickedAtMs, minedTime } = this.#state
    try {
      await this.#keep({ lastLedMs: tickedAtMs, minedTime: minedTime && { ...minedTime, isMining: false } })
    } finally {
      await this.inOrder(() => this.#closeAccount())
    }
  }

  /** Returns the state of the account; the last one if it is not active any more. */
  async #readState(): Promise<AccountState> {
    const next = await this.#given.account.state()
    return addressOf(next) === this.address ? next : this.#state.account
  }

  /** Returns the wallet of this account; null while it is locked or another one is active. */
  async #walletOf(own: Address): Promise<Wallet | null> {
    const wallet = await this.#given.account.wallet()
    return wallet?.address === own ? wallet : null
  }

  async #openAccount(): Promise<void> {
    const { config, tools } = this.#given
    this.#set({ account: await this.#readState() })
    const { address } = this
    if (address === null || this.#state.isClosed) return
    const wallet = await this.#walletOf(address)
    // Without its payments an account can still be shown and mine. Sending tries again, and says why it cannot.
    if (await mayHaveDatabase(paymentJournalName(config, address)))
      await this.openPayments().catch(() => undefined)
    this.#node = await this.#openNode(wallet ?? tools.watchOnlyWallet(address))
    await this.#node.watch()
  }

  async #closeAccount(): Promise<void> {
    const before = this.#node
    this.#set({ lastShown: this.#snapshot() })
    this.#node = null
    await Promise.all([before?.close(), this.#payments.close(), this.#rewards.close()])
  }

  async #reopen(): Promise<void> {
    await this.#closeAccount()
    await this.#openAccount()
    await this.applyPolicy()
  }

  async #makePayments(): Promise<PaymentApprovals> {
    const { client, config, onChange } = this.#given
    const { address } = this
    if (address === null) throw new Error('There is no account to pay from.')
    const journalName = paymentJournalName(config, address)
    const wallet = await this.#walletOf(address)
    const { openPaymentApprovals } = await import('./payment-approvals.ts')
    return openPaymentApprovals({ client, journalName, wallet, onChange })
  }

  /** Opens the payments and resumes those of earlier runs. Their code is loaded on first use. */
  async openPayments(): Promise<PaymentApprovals> {
    if (this.#state.isClosed) throw new Error('There is no account to pay from.')
    try {
      const opened = await this.#payments.open()
      this.#paymentsFault = null
      return opened
    } catch (error) {
      this.#paymentsFault = this.#given.tools.plainError(error)
      this.#given.onChange()
      throw error
    }
  }

  async #openNode(wallet: Wallet): Promise<AccountNode> {
    const { client, config, onChange } = this.#given
    const { agent } = this.#state
    const opened = await openAccountNode({
      wallet,
      client,
      gatewayUrls: config.gatewayUrls,
      requireEncryption: config.requireEncryption,
      tokenId: config.tokenId,
      referralAgent: agent ?? undefined,
    })
    logNode(opened, this.#log, agent)
    opened.on('published', () => {
      const lastSignedAtMs = Date.now()
      this.#set({ lastSignedAtMs })
      this.#note({ lastSignedAtMs })
    })
    opened.on('stopped', ({ reason }) => {
      // Two devices that both insist would alternate and earn less than one. The other reasons do not pass by
      // themselves.
      if (reason !== 'requested') this.setWanted(false).catch(() => undefined)
    })
    opened.on('reverted', () => void this.rewards()?.refresh(true))
    let readAtMs: number | undefined
    opened.subscribe(() => {
      const before = this.#state
      const snapshot = opened.snapshot()
      if (readAtMs !== snapshot.rewardsReading?.readAtMs) void this.rewards()?.refresh()
      readAtMs = snapshot.rewardsReading?.readAtMs
      this.#state = withReadings(before, snapshot)
      if (this.#state !== before) this.#note({ remembered: this.#state.readings })
      this.#count()
      onChange()
    })
    return opened
  }

  async #makeRewards(): Promise<RewardFollower> {
    const { client, config, onChange } = this.#given
    const snapshot = this.#node?.snapshot()
    const stakes = snapshot && (snapshot.stakes ?? readingsOf(this.#state, snapshot.address)?.stakes)
    if (snapshot === undefined || !stakes) throw new Error('It is not known which rewards are of the token.')
    const isNative = stakes.nativeTokenId === config.tokenId
    const { openRewards } = await import('./open-rewards.ts')
    return openRewards({ config, client, address: snapshot.address, isNative, onChange })
  }

  /**
   * Opens the stored rewards once it is known which ones belong to the mined token. Called with the ticks, so that their
   * code is not among what the first view waits for.
   */
  async #openRewards(): Promise<void> {
    if (this.#node === null || this.#rewards.isAsked() || this.#state.isClosed) return
    const opened = await this.#rewards.open()
    await opened.refresh()
  }

  /** Null while they are not open. */
  rewards(): RewardFollower | null {
    return this.#rewards.opened()
  }

  #isRunning(): boolean {
    const status = this.#node?.state.status ?? 'idle'
    return status !== 'idle' && status !== 'stopped'
  }

  #count(): void {
    const status = this.#node?.state.status
    this.#state = counted(this.#state, Date.now(), status === 'mining' || status === 'waitingForBeacon')
  }

  async setWanted(isWanted: boolean): Promise<void> {
    this.#set({ isWanted })
    this.#count()
    await this.#keepChoice({ isWanted })
  }

  /** Starts or stops the node according to the person's wish, the policy and the device. */
  async applyPolicy(isTick = false): Promise<void> {
    const before = this.#state.pause
    const pause = pauseOf(this.#state, new Date())
    this.#set({ pause })
    if (pause !== null && pause !== before) this.#log.add({ kind: 'paused', reason: pause })
    const isToRun = APP_MINES && shouldRun(this.#state)
    if (isToRun && !this.#isRunning()) await this.#node?.start()
    if (!isToRun && this.#isRunning()) await this.#stopNode()
    // Ticks that change nothing must not draw the page anew; what the node does, it reports itself.
    if (!isTick || pause !== before) this.#given.onChange()
  }

  /** Stops mining and continues to watch the balance, since a stopped node watches nothing. */
  async #stopNode(): Promise<void> {
    await this.#node?.stop()
    await this.#node?.watch()
  }

  /** Notes the time. Returns true after a gap. */
  #noteTick(): { readonly isGap: boolean; readonly isRecounted: boolean } {
    const { next, gapFromMs, isGapLogged, isStored, isRecounted } = ticked(this.#state, Date.now())
    this.#state = next
    if (gapFromMs !== null && isGapLogged) this.#log.add({ kind: 'gap', fromMs: gapFromMs })
    if (isStored) this.#note({ lastLedMs: next.tickedAtMs })
    return { isGap: gapFromMs !== null, isRecounted }
  }

  #tick(): void {
    const { isGap, isRecounted } = this.#noteTick()
    this.#count()
    this.#openRewards().catch(() => undefined)
    void this.#payOut()
    if (this.#paymentsFault?.code === 'JOURNAL_LOCKED') this.openPayments().catch(() => undefined)
    if (isRecounted) void this.rewards()?.recount(this.#state.minedTime)
    this.inOrder(async () => {
      // What could not be opened anew when the account changed is tried again.
      if (this.#node === null && this.address !== null) await this.#openAccount()
      // The socket of a device that slept is dead, even if it reports to be open.
      if (isGap && this.#isRunning()) await this.#node?.stop()
      await this.applyPolicy(true)
    }).catch(() => undefined) // The browser may have deleted what is stored; the next tick tries again.
  }

  /** Pays out if the person has a rule, the key is open, and a payout is due. */
  async #payOut(): Promise<void> {
    const { payout, account } = this.#state
    const { address } = this
    if (payout === null || address === null || account.status !== 'open') return
    if (performance.now() < this.#payoutAtMs || this.#payoutLook !== null) return
    this.#payoutLook = new AbortController()
    const { signal } = this.#payoutLook
    const payoutWait = await this.#tryPayout(address, payout, signal).catch(() => 'failed' as const)
    this.#payoutLook = null
    this.#payoutAtMs = performance.now() + PAYOUT_PAUSE_MS
    // The result belongs to the rule that was tried, not to a rule that has replaced it meanwhile.
    if (this.#state.payout !== payout || this.#state.payoutWait === payoutWait) return
    this.#set({ payoutWait })
    this.#given.onChange()
  }

  async #tryPayout(address: Address, agreed: AgreedPayout, signal: AbortSignal): Promise<PayoutWait | null> {
    const wallet = await this.#walletOf(address)
    const node = this.#node
    if (wallet === null || node === null) return null
    const { payOutOnce } = await import('./payouts.ts')
    const payments = await this.openPayments()
    const { client } = this.#given
    return payOutOnce({ client, wallet, payments, agreed, snapshot: node.snapshot(), signal })
  }

  #snapshot() {
    return shownSnapshot(this.#state, this.#node?.snapshot() ?? null, this.#given.tools.plainError)
  }

  shared(): Omit<SharedState, 'isLeader'> {
    const { account, isWanted, minedTime, pause, lastSignedAtMs, agent, policy } = this.#state
    return {
      account,
      snapshot: this.#snapshot(),
      run: { isWanted, minedTime, pause, lastSignedAtMs },
      rewards: this.rewards()?.state() ?? null,
      agent,
      policy,
      payout: shownPayout(this.#state),
      payments: this.#payments.opened()?.list() ?? [],
      paymentsFault: this.#paymentsFault,
      log: this.#log.entries(),
    }
  }

  async setAgent(agent: Address | null): Promise<void> {
    // Any page of this origin can send this call, so the views cannot be what enforces the brand's rule.
    if (!mayTakeAgent(this.#given.config, await this.#readState(), agent))
      throw new Error('This app does not let its agent be changed.')
    await this.#keepChoice({ agent, isAgentChosen: true })
    this.#set({ agent })
    await this.#reopen()
  }

  async setPolicy(chosen: MiningPolicy): Promise<void> {
    await this.#keepChoice({ policy: chosen })
    this.#set({ policy: stricterPolicy(this.#given.config.policy, chosen) })
    await this.applyPolicy()
  }

  async setPayout(given: AgreedPayout | null): Promise<void> {
    const { config, tools } = this.#given
    const payout = agreedPayoutOf(given, tools.isAddress)
    if (given !== null) {
      const wallet = this.address && (await this.#walletOf(this.address))
      const { isAgreedPayout } = await import('./payouts.ts')
      if (!config.mayPayOut || !wallet || !payout || !(await isAgreedPayout(wallet, payout)))
        throw new Error('Nobody with the passphrase agreed to these payouts.')
    }
    await this.#keepChoice({ payout: payout ?? undefined })
    // A payout by the previous rule that is not signed yet is cancelled.
    this.#payoutLook?.abort()
    this.#set({ payout, payoutWait: null })
    this.#payoutAtMs = 0
    this.#given.onChange()
  }

  async setConditions(conditions: Conditions): Promise<void> {
    this.#set({ conditions })
    await this.applyPolicy()
  }

  async reload(): Promise<void> {
    const before = this.#state.account
    const account = await this.#readState()
    this.#set({ account })
    if (JSON.stringify(before) !== JSON.stringify(account)) await this.#reopen()
    this.#given.onChange()
  }

  async resync(): Promise<void> {
    this.#set({ readings: undefined })
    await this.#keep({ remembered: undefined })
    await this.rewards()?.clear()
    await this.#reopen()
  }
}

export async function openMiningController(
  parameters: MiningControllerParameters,
): Promise<MiningController> {
  const run = new LedAccount(parameters, await readAccount(parameters))
  await run.begin()
  const setWanted = (isWanted: boolean): Promise<void> =>
    run.inOrder(async () => {
      await run.setWanted(isWanted)
      await run.applyPolicy()
    })
  const payments = async (): Promise<PaymentApprovals> => {
    if (!parameters.config.canSend) throw new Error('This app makes no payments.')
    return run.openPayments()
  }
  const calls = {
    start: () => setWanted(true),
    stop: () => setWanted(false),
    setAgent: (agent: Address | null) => run.inOrder(() => run.setAgent(agent)),
    setPolicy: (policy: MiningPolicy) => run.inOrder(() => run.setPolicy(policy)),
    setPayout: (agreed: AgreedPayout | null) => run.inOrder(() => run.setPayout(agreed)),
    resync: () => run.inOrder(() => run.resync()),
    refreshRewards: async () => run.rewards()?.refresh(),
    readOlderRewards: async (older: OlderRewards) => run.rewards()?.readOlder(older),
  }
  return {
    address: run.address,
    state: () => run.shared(),
    calls: leaderCalls(calls, payments, parameters.tools.isAddress),
    setConditions: (conditions) => run.inOrder(() => run.setConditions(conditions)),
    reload: () => run.inOrder(() => run.reload()),
    close: () => run.close(),
  }
}
