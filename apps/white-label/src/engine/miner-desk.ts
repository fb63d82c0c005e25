import type { Client, PaymentInfo, Wallet } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { AccountKeeper } from './account-keeper.ts'
import type { AccountNode } from './account-node.ts'
import type { EngineConfig } from './engine-config.ts'
import type { EngineState, PlainSnapshot } from './engine-state.ts'
import { type DeviceConditions, type MiningPolicy, type PauseReason, pauseReason } from './mining-policy.ts'
import { openAccountNode } from './open-account-node.ts'
import type { PaymentDesk } from './payment-desk.ts'
import { plainError } from './plain-error.ts'
import type { Storage } from './storage.ts'
import { watchingWallet } from './watching-wallet.ts'
import { createWorkLog, logNode, type WorkEntry, type WorkLog } from './work-log.ts'

/** What only the owner among the tabs has: the node, the payments and the log. */
export type MinerDesk = {
  readonly state: () => Omit<EngineState, 'isOwner' | 'tabLock'>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly setAgent: (agent: Address | null) => Promise<void>
  readonly setPolicy: (policy: MiningPolicy) => Promise<void>
  readonly setConditions: (conditions: DeviceConditions) => Promise<void>
  /** The account was changed in the storage, here or in another tab. */
  readonly reload: () => Promise<void>
  /** Reads everything anew; keys stay. */
  readonly resync: () => Promise<void>
  /** Opens them when that was not done yet. */
  readonly payments: () => Promise<PaymentDesk>
  readonly close: () => Promise<void>
}

type Remembered = Pick<MiningSnapshot, 'balance' | 'height' | 'stakes'> & { readonly address: Address }

export type MinerDeskParameters = {
  readonly config: EngineConfig
  readonly client: Client
  readonly storage: Storage
  readonly account: AccountKeeper
  readonly conditions: DeviceConditions
  readonly onChange: () => void
}

const BEAT_MS = 2_000
/** A device that slept: nobody but the system stops timers for so long. */
const GAP_MS = 30_000

export async function openMinerDesk(parameters: MinerDeskParameters): Promise<MinerDesk> {
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
  let agent = (await storage.get<Address | null>('agent')) ?? defaultAgent
  if ((await storage.get('isAgentChosen')) === true)
    agent = (await storage.get<Address | null>('agent')) ?? null
  let policy = (await storage.get<MiningPolicy>('policy')) ?? config.policy
  let isWanted = (await storage.get<boolean>('isWanted')) ?? config.autoStart
  let startedAtMs: number | null = null
  let lastSignedAtMs = (await storage.get<number>('lastSignedAtMs')) ?? null
  let pause: PauseReason | null = null
  let remembered = await storage.get<Remembered>('remembered')
  let node: AccountNode | null = null
  let desk: PaymentDesk | null = null
  let opening: Promise<PaymentDesk> | null = null
  let isClosed = false
  let turn: Promise<void> = Promise.resolve()

  /** One change of the node at a time, each after the one before it. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const done = turn.then(change)
    turn = done.catch(() => undefined)
    return done
  }

  const isRunning = (): boolean => {
    const status = node?.state.status ?? 'idle'
    return status !== 'idle' && status !== 'stopped'
  }

  async function openAccount(): Promise<void> {
    accountState = await account.state()
    if (accountState.status === 'none' || isClosed) return
    const { address } = accountState
    const wallet = await account.wallet()
    if (await hasDatabase(journalNameOf(address))) await openPayments()
    node = await openNode(wallet ?? watchingWallet(address))
    await node.watch()
  }

  const journalNameOf = (address: Address): string => `hailstone-${brandId}-payments-${address}`

  /** Payments of earlier runs are taken up at once; without any, their code waits until it is needed. */
  async function openPayments(): Promise<PaymentDesk> {
    if (accountState.status === 'none' || isClosed) throw new Error('There is no account to pay from.')
    const journalName = journalNameOf(accountState.address)
    const wallet = await account.wallet()
    opening ??= import('./payment-desk.ts').then(({ openPaymentDesk }) =>
      openPaymentDesk({ client, journalName, wallet, onChange }),
    )
    desk = await opening
    return desk
  }

  async function openNode(wallet: Wallet): Promise<AccountNode> {
    const made = await openAccountNode({
      wallet,
      client,
      gatewayUrl: config.gatewayUrls[0],
      tokenId,
      referralAgent: agent ?? undefined,
    })
    logNode(made, log, agent)
    made.on('published', () => {
      lastSignedAtMs = Date.now()
      void storage.set('lastSignedAtMs', lastSignedAtMs)
    })
    made.on('stopped', ({ reason }) => {
      // Two devices that both insist take turns and earn less than one; nothing else that stopped it passes by itself.
      if (reason !== 'requested') void want(false)
    })
    made.subscribe(() => {
      remember(made.snapshot())
      onChange()
    })
    return made
  }

  function remember({ address, balance, height, stakes }: MiningSnapshot): void {
    const before = remembered?.address === address ? remembered : undefined
    if (balance === null || balance.isStale) return
    if (before?.balance?.readAtMs === balance.readAtMs && before.stakes === stakes) return
    remembered = { address, balance, height, stakes: stakes ?? before?.stakes ?? null }
    void storage.set('remembered', remembered)
  }

  async function closeAccount(): Promise<void> {
    const [before, payments] = [node, opening]
    node = null
    desk = null
    opening = null
    await Promise.all([before?.close(), payments?.then(({ close }) => close())])
  }

  async function want(wanted: boolean): Promise<void> {
    isWanted = wanted
    await storage.set('isWanted', wanted)
  }

  /** Starts or pauses, so that what happens is what the person wants and the policy allows. */
  async function settle(): Promise<void> {
    const before = pause
    pause = isWanted ? pauseReason(policy, conditions, new Date()) : null
    if (pause !== null && pause !== before) log.add({ kind: 'paused', reason: pause })
    const shouldRun = isWanted && pause === null && APP_MINES && accountState.status === 'open'
    if (shouldRun && !isRunning()) await startNode()
    if (!shouldRun && isRunning()) await stopNode()
    onChange()
  }

  async function startNode(): Promise<void> {
    startedAtMs ??= Date.now()
    await node?.start()
  }

  /** A node that is stopped also stops watching; the balance is still of interest. */
  async function stopNode(): Promise<void> {
    await node?.stop()
    if (!isWanted) startedAtMs = null
    await node?.watch()
  }

  async function reopen(): Promise<void> {
    await closeAccount()
    await openAccount()
    await settle()
  }

  let lastBeatMs = Date.now()
  function beat(): void {
    const now = Date.now()
    const isGap = now - lastBeatMs > GAP_MS
    if (isGap && isWanted) log.add({ kind: 'gap', fromMs: lastBeatMs })
    lastBeatMs = now
    void inTurn(async () => {
      // The socket of a device that slept is dead, whatever it says.
      if (isGap && isRunning()) await node?.stop()
      await settle()
    })
  }
  const heart = setInterval(beat, BEAT_MS)

  function snapshotOf(): PlainSnapshot | null {
    if (node === null) return null
    const snapshot = node.snapshot()
    const { lastError } = snapshot
    const known = remembered?.address === snapshot.address ? remembered : undefined
    return {
      ...snapshot,
      balance: snapshot.balance ?? stale(known?.balance ?? null),
      height: snapshot.height ?? stale(known?.height ?? null),
      stakes: snapshot.stakes ?? known?.stakes ?? null,
      lastError: lastError && { error: plainError(lastError.error), atMs: lastError.atMs },
    }
  }

  const paymentList = (): readonly PaymentInfo[] => desk?.list() ?? []
  await inTurn(openAccount)
  await inTurn(settle)

  return {
    state: () => ({
      account: accountState,
      snapshot: snapshotOf(),
      run: { isWanted, startedAtMs, pause, lastSignedAtMs },
      agent,
      policy,
      payments: paymentList(),
      log: log.entries(),
    }),
    start: () =>
      inTurn(async () => {
        await want(true)
        await settle()
      }),
    stop: () =>
      inTurn(async () => {
        await want(false)
        await settle()
      }),
    setAgent: (next) =>
      inTurn(async () => {
        agent = next
        await storage.set('agent', next)
        await storage.set('isAgentChosen', true)
        await reopen()
      }),
    setPolicy: (next) =>
      inTurn(async () => {
        policy = next
        await storage.set('policy', next)
        await settle()
      }),
    setConditions: (next) =>
      inTurn(async () => {
        conditions = next
        await settle()
      }),
    reload: () =>
      inTurn(async () => {
        const before = accountState
        accountState = await account.state()
        const isSame = JSON.stringify(before) === JSON.stringify(accountState)
        if (!isSame) await reopen()
        onChange()
      }),
    resync: () =>
      inTurn(async () => {
        remembered = undefined
        await storage.remove('remembered')
        await reopen()
      }),
    payments: openPayments,
    close: async () => {
      isClosed = true
      clearInterval(heart)
      await inTurn(closeAccount)
    },
  }
}

/** Whether there is one; a browser that does not tell is taken at its worst. */
async function hasDatabase(name: string): Promise<boolean> {
  if (typeof indexedDB.databases !== 'function') return true
  return (await indexedDB.databases()).some((database) => database.name === name)
}

const stale = <T extends { readonly isStale: boolean }>(value: T | null): T | null =>
  value === null ? null : { ...value, isStale: true }
