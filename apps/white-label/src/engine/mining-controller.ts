import type { Client, PaymentInfo, Wallet } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import { isAddress } from '@hailstone/protocol'
import type { AccountNode } from './account-node.ts'
import type { AccountStore } from './account-store.ts'
import { type EngineConfig, rewardStoreName } from './engine-config.ts'
import type { PlainSnapshot, SharedState } from './engine-state.ts'
import type { OlderRewards, RewardFollower } from './follow-rewards.ts'
import { mayTakeAgent } from './may-take-agent.ts'
import { GAP_MS, type MinedTime, minedTimeAt } from './mined-time.ts'
import {
  type Conditions,
  isMiningPolicy,
  type MiningPolicy,
  type PauseReason,
  pauseReason,
} from './mining-policy.ts'
import { openAccountNode } from './open-account-node.ts'
import type { PaymentApprovals } from './payment-approvals.ts'
import { plainError } from './plain-error.ts'
import type { Storage } from './storage.ts'
import { watchOnlyWallet } from './watch-only-wallet.ts'
import { createWorkLog, logNode, type WorkEntry, type WorkLog } from './work-log.ts'

/** The leader's part of the engine: the node, the payments and the log. */
export type MiningController = {
  readonly state: () => Omit<SharedState, 'isLeader'>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly setAgent: (agent: Address | null) => Promise<void>
  readonly setPolicy: (policy: MiningPolicy) => Promise<void>
  readonly setConditions: (conditions: Conditions) => Promise<void>
  /** Reads the account again after it was changed in storage, here or in another tab. */
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
}

const TICK_MS = 2_000
const DAY_MS = 86_400_000
/** Totals of a period change with the time alone, though not fast. */
const RECOUNT_MS = 60_000

export async function openMiningController(
  parameters: MiningControllerParameters,
): Promise<MiningController> {
  const { config, client, storage, account, onChange } = parameters
  const { brandId, tokenId, defaultAgent } = config
  const log: WorkLog = createWorkLog({
    kept: (await storage.get<readonly WorkEntry[]>('log')) ?? [],
    onChange: (entries) => {
      void storage.set('log', entries)
      onChange()
    },
  })
  let conditions = parameters.conditions
  let accountState = await account.state()
  const isAgentChosen = (await storage.get('isAgentChosen')) === true
  const keptAgent = await storage.get<unknown>('agent')
  let agent = isAddress(keptAgent) ? keptAgent : isAgentChosen ? null : defaultAgent
  const keptPolicy = await storage.get<unknown>('policy')
  let policy = isMiningPolicy(keptPolicy) ? keptPolicy : config.policy
  let isWanted = (await storage.get<boolean>('isWanted')) ?? config.autoStart
  let lastSignedAtMs = (await storage.get<number>('lastSignedAtMs')) ?? null
  let pause: PauseReason | null = null
  let minedTime = parameters.hasSlept ? ((await storage.get<MinedTime>('minedTime')) ?? null) : null
  let lastReadings = await storage.get<LastReadings>('remembered')
  let node: AccountNode | null = null
  let rewards: RewardFollower | null = null
  let openingRewards: Promise<RewardFollower> | null = null
  let approvals: PaymentApprovals | null = null
  let opening: Promise<PaymentApprovals> | null = null
  let isClosed = false
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

  async function openAccount(): Promise<void> {
    accountState = await account.state()
    if (accountState.status === 'none' || isClosed) return
    const { address } = accountState
    const wallet = await account.wallet()
    if (await mayHaveDatabase(journalNameOf(address))) await openPayments()
    node = await openNode(wallet ?? watchOnlyWallet(address))
    await node.watch()
  }

  const journalNameOf = (address: Address): string => `hailstone-${brandId}-payments-${address}`

  /** Opens the payments and resumes those of earlier runs. Their code is loaded on first use. */
  async function openPayments(): Promise<PaymentApprovals> {
    if (accountState.status === 'none' || isClosed) throw new Error('There is no account to pay from.')
    const journalName = journalNameOf(accountState.address)
    const wallet = await account.wallet()
    opening ??= import('./payment-approvals.ts').then(({ openPaymentApprovals }) =>
      openPaymentApprovals({ client, journalName, wallet, onChange }),
    )
    approvals = await opening
    return approvals
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
      void storage.set('lastSignedAtMs', lastSignedAtMs)
    })
    opened.on('stopped', ({ reason }) => {
      // Two devices that both insist would alternate and earn less than one. The other reasons do not pass by
      // themselves.
      if (reason !== 'requested') void setWanted(false)
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
    const { address, stakes } = node.snapshot()
    const nativeTokenId = (stakes ?? lastReadingsOf(address)?.stakes)?.nativeTokenId
    if (nativeTokenId === undefined) return
    openingRewards = import('./open-rewards.ts').then(({ openRewards: open }) =>
      open({ config, client, address, isNative: nativeTokenId === tokenId, onChange }),
    )
    openingRewards.catch(() => {
      openingRewards = null
    })
    const opened = await openingRewards
    rewards = opened
    await opened.refresh()
    await opened.readOlder({ backToMs: Date.now() - DAY_MS })
  }

  const lastReadingsOf = (address: Address): LastReadings | undefined =>
    lastReadings?.address === address ? lastReadings : undefined

  function storeReadings({ address, balance, height, stakes }: MiningSnapshot): void {
    const before = lastReadingsOf(address)
    if (balance === null || balance.isStale) return
    if (before?.balance?.readAtMs === balance.readAtMs && before.stakes === stakes) return
    lastReadings = { address, balance, height, stakes: stakes ?? before?.stakes ?? null }
    void storage.set('remembered', lastReadings)
  }

  async function closeAccount(): Promise<void> {
    const [before, payments, history] = [node, opening, openingRewards]
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
    await storage.set('isWanted', wanted)
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

  const lastLedMs = await storage.get<unknown>('lastLedMs')
  let lastTickMs = parameters.hasSlept && typeof lastLedMs === 'number' ? lastLedMs : Date.now()
  /** Returns true if no tab led for longer than timers are late by themselves. */
  function noteGap(): boolean {
    const now = Date.now()
    const isGap = now - lastTickMs > GAP_MS
    if (isGap && isWanted) log.add({ kind: 'gap', fromMs: lastTickMs })
    lastTickMs = now
    return isGap
  }
  noteGap()
  let recountedAtMs = Date.now()
  function tick(): void {
    const isGap = noteGap()
    countMinedTime()
    openRewards().catch(() => undefined)
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
    if (node === null) return null
    const snapshot = node.snapshot()
    const { lastError } = snapshot
    const known = lastReadingsOf(snapshot.address)
    return {
      ...snapshot,
      balance: snapshot.balance ?? stale(known?.balance ?? null),
      height: snapshot.height ?? stale(known?.height ?? null),
      stakes: snapshot.stakes ?? known?.stakes ?? null,
      lastError: lastError && { error: plainError(lastError.error), atMs: lastError.atMs },
    }
  }

  const paymentList = (): readonly PaymentInfo[] => approvals?.list() ?? []
  await inOrder(openAccount)
  await inOrder(applyPolicy)

  return {
    state: () => ({
      account: accountState,
      snapshot: snapshotOf(),
      run: { isWanted, minedTime, pause, lastSignedAtMs },
      rewards: rewards?.state() ?? null,
      agent,
      policy,
      payments: paymentList(),
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
        if (!mayTakeAgent(config, await account.state(), next))
          throw new Error('This app does not let its agent be changed.')
        agent = next
        await storage.set('agent', next)
        await storage.set('isAgentChosen', true)
        await reopen()
      }),
    setPolicy: (next) =>
      inOrder(async () => {
        policy = next
        await storage.set('policy', next)
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
        accountState = await account.state()
        const isSame = JSON.stringify(before) === JSON.stringify(accountState)
        if (!isSame) await reopen()
        if (accountState.status === 'none' && before.status !== 'none')
          indexedDB.deleteDatabase(rewardStoreName(config, before.address))
        onChange()
      }),
    resync: () =>
      inOrder(async () => {
        lastReadings = undefined
        await storage.remove('remembered')
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
      await storage.set('lastLedMs', lastTickMs)
      await storage.set('minedTime', minedTime && { ...minedTime, isMining: false })
      await inOrder(closeAccount)
    },
  }
}

/** True if the database exists, or if the browser cannot list databases. */
async function mayHaveDatabase(name: string): Promise<boolean> {
  if (typeof indexedDB.databases !== 'function') return true
  return (await indexedDB.databases()).some((database) => database.name === name)
}

const stale = <T extends { readonly isStale: boolean }>(value: T | null): T | null =>
  value === null ? null : { ...value, isStale: true }
