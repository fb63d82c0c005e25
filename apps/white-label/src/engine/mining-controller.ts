import type { Client, PaymentInfo, Wallet } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { AccountNode } from './account-node.ts'
import type { AccountStore } from './account-store.ts'
import { type EngineConfig, paymentJournalName } from './engine-config.ts'
import {
  type AccountState,
  addressOf,
  type PlainError,
  type PlainSnapshot,
  type SharedState,
} from './engine-state.ts'
import type { OlderRewards, RewardFollower } from './follow-rewards.ts'
import { mayTakeAgent } from './may-take-agent.ts'
import { GAP_MS, type MinedTime, minedTimeAt } from './mined-time.ts'
import {
  type Conditions,
  isMiningPolicy,
  type MiningPolicy,
  type PauseReason,
  pauseReason,
  stricterPolicy,
} from './mining-policy.ts'
import { openAccountNode } from './open-account-node.ts'
import type { PaymentApprovals } from './payment-approvals.ts'
import type { plainError } from './plain-error.ts'
import { mayHaveDatabase, type Storage, type Values } from './storage.ts'
import type { watchOnlyWallet } from './watch-only-wallet.ts'
import { createWorkLog, logNode, type WorkEntry, type WorkLog } from './work-log.ts'

/** The leader's part of the engine for one account: the node, the payments and the log. */
export type MiningController = {
  /** Address of the account; null without one. */
  readonly address: Address | null
  readonly state: () => Omit<SharedState, 'isLeader'>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly setAgent: (agent: Address | null) => Promise<void>
  readonly setPolicy: (policy: MiningPolicy) => Promise<void>
  readonly setConditions: (conditions: Conditions) => Promise<void>
  /** Reads the account again after it was changed in storage, here or in another tab, but not for another one. */
  readonly reload: () => Promise<void>
  /** Drops cached readings and reads everything again. Keys stay. */
  readonly resync: () => Promise<void>
  readonly refreshRewards: () => Promise<void>
  readonly readOlderRewards: (older: OlderRewards) => Promise<void>
  /** Returns the payments, opening them on first use. */
  readonly payments: () => Promise<PaymentApprovals>
  readonly close: () => Promise<void>
}

type LastReadings = Pick<MiningSnapshot, 'balance' | 'height' | 'stakes'> & { readonly address: Address }

export type MiningControllerParameters = {
  readonly config: EngineConfig
  readonly client: Client
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
/** Time between two notes of the time at which this tab led, in ms. */
const LED_MS = 10_000
const DAY_MS = 86_400_000
/** Totals of a period change with the time alone, though not fast. */
const RECOUNT_MS = 60_000

/** Stored values of the account that the controller reads once. */
const KEPT = [
  'account',
  'log',
  'isAgentChosen',
  'agent',
  'policy',
  'isWanted',
  'lastSignedAtMs',
  'minedTime',
  'remembered',
  'lastLedMs',
]

/** Reads the account and its values. Another tab may make another account active between the two readings. */
async function readAccount({ account, storage }: Pick<MiningControllerParameters, 'account' | 'storage'>) {
  for (;;) {
    const state = await account.state()
    const values = await storage.swap(KEPT, () => ({}))
    if (addressIn(values) === addressOf(state)) return { state, values }
  }
}

const addressIn = ({ account }: Values): Address | null =>
  (account as { readonly address: Address } | undefined)?.address ?? null

export async function openMiningController(
  parameters: MiningControllerParameters,
): Promise<MiningController> {
  const { config, client, storage, account, onChange, onMoved, tools } = parameters
  const { tokenId, defaultAgent } = config
  const { state: firstState, values: kept } = await readAccount(parameters)
  let accountState = firstState
  const address = addressOf(accountState)
  let isClosed = false

  /**
   * Stores values of the account; undefined removes one. Stores nothing if it is not active any more: what is stored
   * under these names belongs to another account then. Returns whether it stored them.
   */
  async function keep(values: Values): Promise<boolean> {
    const before = await storage.swap(['account'], (now) => (addressIn(now) === address ? values : {}))
    const isOwn = addressIn(before) === address
    if (!isOwn && !isClosed) onMoved()
    return isOwn
  }

  /** Stores what a person has chosen. @throws {Error} if the account is not active any more */
  async function keepChoice(values: Values): Promise<void> {
    if (!(await keep(values))) throw new Error('Another account has become active.')
  }

  const log: WorkLog = createWorkLog({
    kept: (kept.log as readonly WorkEntry[] | undefined) ?? [],
    onChange: (entries) => {
      void keep({ log: entries })
      onChange()
    },
  })
  let conditions = parameters.conditions
  let agent = tools.isAddress(kept.agent) ? kept.agent : kept.isAgentChosen === true ? null : defaultAgent
  let policy = isMiningPolicy(kept.policy) ? stricterPolicy(config.policy, kept.policy) : config.policy
  let isWanted = (kept.isWanted as boolean | undefined) ?? config.autoStart
  let lastSignedAtMs = (kept.lastSignedAtMs as number | undefined) ?? null
  let pause: PauseReason | null = null
  let minedTime = parameters.hasSlept ? ((kept.minedTime as MinedTime | undefined) ?? null) : null
  let lastReadings = kept.remembered as LastReadings | undefined
  let node: AccountNode | null = null
  let rewards: RewardFollower | null = null
  let openingRewards: Promise<RewardFollower> | null = null
  let approvals: PaymentApprovals | null = null
  let opening: Promise<PaymentApprovals> | null = null
  let paymentsFault: PlainError | null = null
  let queue: Promise<void> = Promise.resolve()

  /** Runs changes of the node one after another. */
  function inOrder(change: () => Promise<void>): Promise<void> {
    const done = queue.then(change)
    queue = done.catch(() => undefined)
    return done
  }

  const isRunning = (): boolean => {
    const status = node?.state.status ?? 'idle'
    return status !== 'idle' && status !== 'stopped'
  }

  /** True if tasks can come. */
  const isMining = (): boolean => node?.state.status === 'mining' || node?.state.status === 'waitingForBeacon'

  function countMinedTime(): void {
    minedTime = minedTimeAt(minedTime, { atMs: Date.now(), isWanted, isMining: isMining() })
  }

  /** Returns the state of the account; the last one if it is not active any more. */
  async function readState(): Promise<AccountState> {
    const next = await account.state()
    return addressOf(next) === address ? next : accountState
  }

  /** Returns the wallet of this account; null while it is locked or another one is active. */
  async function walletOf(own: Address): Promise<Wallet | null> {
    const wallet = await account.wallet()
    return wallet?.address === own ? wallet : null
  }

  async function openAccount(): Promise<void> {
    accountState = await readState()
    if (address === null || isClosed) return
    const wallet = await walletOf(address)
    // Without its payments an account can still be shown and mine. Sending tries again, and says why it cannot.
    if (await mayHaveDatabase(paymentJournalName(config, address)))
      await openPayments().catch(() => undefined)
    node = await openNode(wallet ?? tools.watchOnlyWallet(address))
    await node.watch()
  }

  /** Opens the payments and resumes those of earlier runs. Their code is loaded on first use. */
  async function openPayments(): Promise<PaymentApprovals> {
    const wallet = address === null ? null : await walletOf(address)
    if (address === null || isClosed) throw new Error('There is no account to pay from.')
    const journalName = paymentJournalName(config, address)
    opening ??= import('./payment-approvals.ts').then(({ openPaymentApprovals }) =>
      openPaymentApprovals({ client, journalName, wallet, onChange }),
    )
    const own = opening
    try {
      approvals = await own
      paymentsFault = null
      return approvals
    } catch (error) {
      if (opening === own) opening = null
      paymentsFault = tools.plainError(error)
      onChange()
      throw error
    }
  }

  async function openNode(wallet: Wallet): Promise<AccountNode> {
    const opened = await openAccountNode({
      wallet,
      client,
      gatewayUrls: config.gatewayUrls,
      requireEncryption: config.requireEncryption,
      tokenId,
      referralAgent: agent ?? undefined,
    })
    logNode(opened, log, agent)
    opened.on('published', () => {
      lastSignedAtMs = Date.now()
      void keep({ lastSignedAtMs })
    })
    opened.on('stopped', ({ reason }) => {
      // Two devices that both insist would alternate and earn less than one. The other reasons do not pass by
      // themselves.
      if (reason !== 'requested') setWanted(false).catch(() => undefined)
    })
    for (const event of ['rewarded', 'referralRewarded'] as const)
      opened.on(event, () => void rewards?.refresh())
    opened.on('reverted', () => void rewards?.refresh(true))
    opened.subscribe(() => {
      storeReadings(opened.snapshot())
      countMinedTime()
      onChange()
    })
    return opened
  }

  /**
   * Opens the stored rewards once it is known which ones belong to the mined token. Called with the ticks, so that their
   * code is not among what the first view waits for.
   */
  async function openRewards(): Promise<void> {
    if (node === null || openingRewards !== null || isClosed) return
    const { address: own, stakes } = node.snapshot()
    const nativeTokenId = (stakes ?? lastReadingsOf(own)?.stakes)?.nativeTokenId
    if (nativeTokenId === undefined) return
    openingRewards = import('./open-rewards.ts').then(({ openRewards: open }) =>
      open({ config, client, address: own, isNative: nativeTokenId === tokenId, onChange }),
    )
    openingRewards.catch(() => {
      openingRewards = null
    })
    const opened = await openingRewards
    rewards = opened
    await opened.refresh()
    await opened.readOlder({ backToMs: Date.now() - DAY_MS })
  }

  const lastReadingsOf = (own: Address): LastReadings | undefined =>
    lastReadings?.address === own ? lastReadings : undefined

  function storeReadings({ address: own, balance, height, stakes }: MiningSnapshot): void {
    const before = lastReadingsOf(own)
    if (balance === null || balance.isStale) return
    if (before?.balance?.readAtMs === balance.readAtMs && before.stakes === stakes) return
    lastReadings = { address: own, balance, height, stakes: stakes ?? before?.stakes ?? null }
    void keep({ remembered: lastReadings })
  }

  /** Snapshot before the node was closed: until the next one is open the page stays where it is, with its forms. */
  let lastShown: PlainSnapshot | null = null
  async function closeAccount(): Promise<void> {
    const [before, payments, history] = [node, opening, openingRewards]
    lastShown = snapshotOf()
    node = null
    approvals = null
    opening = null
    rewards = null
    openingRewards = null
    await Promise.all([
      before?.close(),
      payments?.then(({ close }) => close()),
      history?.then(({ close }) => close()),
    ])
  }

  async function setWanted(wanted: boolean): Promise<void> {
    isWanted = wanted
    countMinedTime()
    await keepChoice({ isWanted })
  }

  /** Starts or stops the node according to the person's wish, the policy and the device. */
  async function applyPolicy(isTick = false): Promise<void> {
    const before = pause
    pause = isWanted ? pauseReason(policy, conditions, new Date()) : null
    if (pause !== null && pause !== before) log.add({ kind: 'paused', reason: pause })
    const shouldRun = isWanted && pause === null && APP_MINES && accountState.status === 'open'
    if (shouldRun && !isRunning()) await startNode()
    if (!shouldRun && isRunning()) await stopNode()
    // Ticks that change nothing must not draw the page anew; what the node does, it reports itself.
    if (!isTick || pause !== before) onChange()
  }

  async function startNode(): Promise<void> {
    await node?.start()
  }

  /** Stops mining and continues to watch the balance, since a stopped node watches nothing. */
  async function stopNode(): Promise<void> {
    await node?.stop()
    await node?.watch()
  }

  async function reopen(): Promise<void> {
    await closeAccount()
    await openAccount()
    await applyPolicy()
  }

  const { lastLedMs } = kept
  let lastTickMs = parameters.hasSlept && typeof lastLedMs === 'number' ? lastLedMs : Date.now()
  /** Returns true if no tab led for longer than timers are late by themselves. */
  function noteGap(): boolean {
    const now = Date.now()
    const isGap = now - lastTickMs > GAP_MS
    if (isGap && isWanted && pause === null) log.add({ kind: 'gap', fromMs: lastTickMs })
    lastTickMs = now
    // A leader that is ended closes nothing, and the next one counts from here.
    if (now - keptLedMs > LED_MS) {
      keptLedMs = now
      void keep({ lastLedMs: now })
    }
    return isGap
  }
  let keptLedMs = 0
  noteGap()
  let recountedAtMs = Date.now()
  function tick(): void {
    const isGap = noteGap()
    countMinedTime()
    openRewards().catch(() => undefined)
    if (paymentsFault?.code === 'JOURNAL_LOCKED') openPayments().catch(() => undefined)
    if (lastTickMs - recountedAtMs > RECOUNT_MS) {
      recountedAtMs = lastTickMs
      void rewards?.recount(minedTime)
    }
    void inOrder(async () => {
      // The socket of a device that slept is dead, even if it reports to be open.
      if (isGap && isRunning()) await node?.stop()
      await applyPolicy(true)
    })
  }
  const timer = setInterval(tick, TICK_MS)

  function snapshotOf(): PlainSnapshot | null {
    if (node === null) {
      const isSame = accountState.status !== 'none' && accountState.address === lastShown?.address
      return isSame && lastShown !== null
        ? { ...lastShown, state: { status: 'idle', why: '', nextStep: '' } }
        : null
    }
    const snapshot = node.snapshot()
    const { lastError } = snapshot
    const known = lastReadingsOf(snapshot.address)
    return {
      ...snapshot,
      balance: snapshot.balance ?? stale(known?.balance ?? null),
      height: snapshot.height ?? stale(known?.height ?? null),
      stakes: snapshot.stakes ?? known?.stakes ?? null,
      lastError: lastError && { error: tools.plainError(lastError.error), atMs: lastError.atMs },
    }
  }

  const paymentList = (): readonly PaymentInfo[] => approvals?.list() ?? []
  try {
    await inOrder(openAccount)
    await inOrder(applyPolicy)
  } catch (error) {
    clearInterval(timer)
    isClosed = true
    await inOrder(closeAccount)
    throw error
  }

  return {
    address,
    state: () => ({
      account: accountState,
      snapshot: snapshotOf(),
      run: { isWanted, minedTime, pause, lastSignedAtMs },
      rewards: rewards?.state() ?? null,
      agent,
      policy,
      payments: paymentList(),
      paymentsFault,
      log: log.entries(),
    }),
    start: () =>
      inOrder(async () => {
        await setWanted(true)
        await applyPolicy()
      }),
    stop: () =>
      inOrder(async () => {
        await setWanted(false)
        await applyPolicy()
      }),
    setAgent: (next) =>
      inOrder(async () => {
        // Any page of this origin can send this call, so the views cannot be what enforces the brand's rule.
        if (!mayTakeAgent(config, await readState(), next))
          throw new Error('This app does not let its agent be changed.')
        await keepChoice({ agent: next, isAgentChosen: true })
        agent = next
        await reopen()
      }),
    setPolicy: (next) =>
      inOrder(async () => {
        await keepChoice({ policy: next })
        policy = stricterPolicy(config.policy, next)
        await applyPolicy()
      }),
    setConditions: (next) =>
      inOrder(async () => {
        conditions = next
        await applyPolicy()
      }),
    reload: () =>
      inOrder(async () => {
        const before = accountState
        accountState = await readState()
        const isSame = JSON.stringify(before) === JSON.stringify(accountState)
        if (!isSame) await reopen()
        onChange()
      }),
    resync: () =>
      inOrder(async () => {
        lastReadings = undefined
        await keep({ remembered: undefined })
        await rewards?.clear()
        await reopen()
      }),
    refreshRewards: async () => rewards?.refresh(),
    readOlderRewards: async (older) => rewards?.readOlder(older),
    payments: async () => {
      if (!config.canSend) throw new Error('This app makes no payments.')
      return openPayments()
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      try {
        await keep({ lastLedMs: lastTickMs, minedTime: minedTime && { ...minedTime, isMining: false } })
      } finally {
        await inOrder(closeAccount)
      }
    },
  }
}

const stale = <T extends { readonly isStale: boolean }>(value: T | null): T | null =>
  value === null ? null : { ...value, isStale: true }
