import type { Address } from '@hailstone/mining-node'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { createEngine } from './engine.ts'
import type { EngineConfig } from './engine-config.ts'
import type { FromEngine } from './engine-messages.ts'
import type { VaultMemory } from './keystore.ts'

const account = vi.hoisted(() => ({
  lost: [] as string[],
  address: vi.fn(async () => null),
  lock: async () => undefined,
  state: async () => ({ status: 'none', lost: [], isOutdated: false }),
  wallet: vi.fn(async () => null),
  tabLock: vi.fn(async () => 'open'),
  passkey: async () => null,
}))
/** Rejects instead of opening or closing a controller. */
const faults = vi.hoisted(() => ({ open: null as Error | null, close: null as Error | null }))
const minedBy = (address: string) => ({ address, state: { status: 'mining' } })
vi.mock('./no-account.ts', async (original) => {
  const { openWithoutAccount, isLeaderCall } = await original<typeof import('./no-account.ts')>()
  return {
    isLeaderCall,
    openWithoutAccount: async (parameters: Parameters<typeof openWithoutAccount>[0]) => {
      if (faults.open !== null) throw faults.open
      const controller = await openWithoutAccount(parameters)
      return {
        ...controller,
        state: () => ({ ...controller.state(), snapshot: minedBy('own') }),
        close: async () => {
          if (faults.close !== null) throw faults.close
        },
      }
    },
  }
})
vi.mock('./storage.ts', () => ({ openStorage: async () => ({}), mayHaveDatabase: async () => false }))
vi.mock('./keystore.ts', () => ({
  openVault: async (_: string, memory: VaultMemory) => {
    account.lost.push(...memory.read())
    return { list: async () => ['02ab'] }
  },
}))
vi.mock('./account-store.ts', () => ({ openAccountStore: async () => account }))

const config = {
  brandId: 'brand',
  apiUrl: 'http://127.0.0.1:9',
  gatewayUrls: [],
  tokenDecimals: {},
} as unknown as EngineConfig
const conditions = { hasConsent: true, isOnline: true, isMetered: null, isCharging: null, battery: null }

class SilentChannel {
  onmessage: ((event: object) => void) | null = null
  readonly sent: unknown[] = []
  constructor() {
    channel = this
  }
  postMessage(message: unknown): void {
    this.sent.push(message)
  }
  receive(data: object): void {
    this.onmessage?.({ data })
  }
}
let channel: SilentChannel | undefined

/** Opens the engine of a tab that leads at once, or when `elected` resolves. */
async function openEngine(elected: Promise<void> = Promise.resolve()) {
  const posted: FromEngine[] = []
  const request = async (_name: string, _options: object, lead: () => Promise<void>): Promise<void> => {
    await elected
    return lead()
  }
  vi.stubGlobal('navigator', { locks: { request } })
  vi.stubGlobal('BroadcastChannel', SilentChannel)
  const { receive } = await createEngine({
    config,
    conditions,
    remembered: ['02cd' as Address],
    post: (message) => void posted.push(message),
  })
  const types = (): readonly string[] => posted.map(({ type }) => type).filter((type) => type !== 'remember')
  const whoLeads = (): void => channel?.receive({ type: 'whoLeads' })
  const call = (id: number, name: string): void => receive({ type: 'call', id, name, parameters: {} })
  const sent = (): readonly unknown[] =>
    (channel?.sent ?? []).flatMap((message) => {
      const { type, name } = message as { readonly type: string; readonly name?: string }
      return type === 'call' ? [name] : []
    })
  return { posted, types, whoLeads, call, sent }
}

/** Sends this tab the state of a leader. */
function hear(
  term: string,
  snapshot: object | null = null,
  account: object = { status: 'none', lost: [], isOutdated: false },
): void {
  const state = {
    snapshot,
    account,
    run: {},
    policy: {},
    rewards: null,
    payments: [],
    log: [],
  }
  channel?.receive({ type: 'state', state, hasKey: true, term })
}
const timers = vi.spyOn(globalThis, 'setTimeout')
afterEach(() => {
  // A tab goes on queueing for the lock, which is not there in the next file.
  for (const { value } of timers.mock.results) clearTimeout(value)
  timers.mockClear()
  Object.assign(faults, { open: null, close: null })
  vi.unstubAllGlobals()
})
afterAll(() => timers.mockRestore())

it('posts its state on while the storage cannot be read, and says so before it could be read once', async () => {
  const closed = new DOMException('The database connection is closing.', 'InvalidStateError')
  account.tabLock.mockRejectedValueOnce(closed)
  const { types, whoLeads } = await openEngine()
  await vi.waitFor(() => expect(types()).toEqual(['broken']))
  whoLeads()
  await vi.waitFor(() => expect(types()).toEqual(['broken', 'state']))
  account.tabLock.mockRejectedValueOnce(closed)
  account.wallet.mockRejectedValueOnce(closed)
  const sentBefore = channel?.sent.length ?? 0
  whoLeads()
  await vi.waitFor(() => expect(types()).toEqual(['broken', 'state', 'state']))
  await vi.waitFor(() =>
    expect(channel?.sent.slice(sentBefore)).toContainEqual(expect.objectContaining({ type: 'state' })),
  )
})

it('locks the page also where the storage cannot be read any more', async () => {
  const { posted, call } = await openEngine(new Promise(() => {}))
  const locks = () => posted.flatMap((message) => (message.type === 'state' ? [message.state.tabLock] : []))
  hear('first', null, { status: 'open', address: '02aa', isSealed: true })
  await vi.waitFor(() => expect(locks()).toEqual(['open']))
  const closed = new DOMException('The database connection is closing.', 'InvalidStateError')
  account.address.mockRejectedValueOnce(closed)
  account.tabLock.mockRejectedValueOnce(closed)
  call(1, 'lock')
  await vi.waitFor(() => expect(posted).toContainEqual(expect.objectContaining({ id: 1 })))
  expect(locks()).toEqual(['open', 'locked'])
  expect(posted).toContainEqual({ type: 'answer', id: 1, value: undefined })
})

it('makes calls again that a leader took with it, approvals too', async () => {
  const { posted, call, sent } = await openEngine(new Promise(() => {}))
  hear('first')
  call(1, 'approvePayment')
  call(2, 'resync')
  await vi.waitFor(() => expect(sent()).toEqual(['approvePayment', 'resync']))
  hear('first')
  hear('second')
  const calls = ['approvePayment', 'resync']
  await vi.waitFor(() => expect(sent()).toEqual([...calls, ...calls]))
  expect(posted.filter(({ type }) => type === 'failure')).toEqual([])
})

it('says of an approval that was repeated only what the journal of the next leader says', async () => {
  const { posted, call, sent } = await openEngine(new Promise(() => {}))
  const to = (): unknown =>
    channel?.sent.flatMap((message) => (Reflect.get(Object(message), 'from') as string | undefined) ?? [])[0]
  const failed = (id: number, code: string): void =>
    channel?.receive({ type: 'failure', to: to(), id, error: { code, message: '', facts: {} } })
  hear('first')
  for (const id of [1, 2, 3]) call(id, 'approvePayment')
  await vi.waitFor(() => expect(sent()).toHaveLength(3))
  // The leader that took it knows.
  failed(3, 'UNKNOWN')
  hear('second')
  await vi.waitFor(() => expect(sent()).toHaveLength(5))
  failed(1, 'UNKNOWN')
  failed(2, 'PAYMENT_NOT_APPROVED')
  const codes = posted.flatMap((message) =>
    message.type === 'failure' ? [[message.id, message.error.code]] : [],
  )
  expect(codes).toEqual([
    [3, 'UNKNOWN'],
    [1, 'APPROVAL_LOST'],
    [2, 'PAYMENT_NOT_APPROVED'],
  ])
})

it('makes a call again that was sent before any leader was heard, which may have been opening', async () => {
  const { call, sent, posted } = await openEngine(new Promise(() => {}))
  call(1, 'resync')
  await vi.waitFor(() => expect(sent()).toEqual(['resync']))
  hear('first')
  await vi.waitFor(() => expect(sent()).toEqual(['resync', 'resync']))
  hear('first')
  expect(posted.filter(({ type }) => type === 'failure')).toEqual([])
})

it('makes calls again that were sent between its own time as the leader and the next one', async () => {
  const { posted, types, call, sent } = await openEngine()
  await vi.waitFor(() => expect(types()).toEqual(['state']))
  vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => {}) } })
  channel?.receive({ type: 'yield' })
  await vi.waitFor(() => expect(types()).toEqual(['state', 'state']))
  call(1, 'resync')
  await vi.waitFor(() => expect(sent()).toEqual(['resync']))
  hear('next')
  await vi.waitFor(() => expect(sent()).toEqual(['resync', 'resync']))
  expect(posted.filter(({ type }) => type === 'failure')).toEqual([])
})

it('does the same as it becomes the leader itself', async () => {
  let elect = (): void => {}
  const { posted, call, sent } = await openEngine(
    new Promise((resolve) => {
      elect = resolve
    }),
  )
  hear('first')
  call(1, 'approvePayment')
  call(2, 'resync')
  await vi.waitFor(() => expect(sent()).toEqual(['approvePayment', 'resync']))
  elect()
  await vi.waitFor(() => expect(posted).toContainEqual({ type: 'answer', id: 2, value: undefined }))
  expect(posted).toContainEqual(expect.objectContaining({ id: 1 }))
  expect(sent()).toEqual(['approvePayment', 'resync'])
})

/** Returns who mines by each state that was posted, and how. */
const miners = (posted: readonly FromEngine[]): readonly unknown[] =>
  posted.flatMap((message) =>
    message.type === 'state' && message.state.snapshot !== null
      ? [[message.state.snapshot.address, message.state.snapshot.state.status]]
      : [],
  )

it('C1: says that nobody mines where the leader has gone and this tab cannot open what it needs', async () => {
  let elect = (): void => {}
  const elected = new Promise<void>((resolve) => {
    elect = resolve
  })
  const { posted } = await openEngine(elected)
  hear('first', minedBy('other'))
  await vi.waitFor(() => expect(miners(posted)).toEqual([['other', 'mining']]))
  faults.open = new DOMException('The database connection is closing.', 'InvalidStateError')
  elect()
  await vi.waitFor(() => expect(miners(posted).at(-1)).toEqual(['other', 'idle']))
})

it('C1: says that it does not mine any more, also where its storage is gone as it ends', async () => {
  const { posted } = await openEngine()
  await vi.waitFor(() => expect(miners(posted).at(-1)).toEqual(['own', 'mining']))
  faults.close = new DOMException('The database connection is closing.', 'InvalidStateError')
  vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => {}) } })
  channel?.receive({ type: 'yield' })
  await vi.waitFor(() => expect(miners(posted).at(-1)).toEqual(['own', 'idle']))
})

it('gives the vault what the page remembers, and has it remember the accounts of earlier versions', async () => {
  account.lost.length = 0
  const { posted } = await openEngine(new Promise(() => {}))
  expect(account.lost).toEqual(['02cd'])
  const vaultName = 'hailstone-brand-vault'
  expect(posted).toContainEqual({ type: 'remember', vaultName, added: ['02ab'], removed: [] })
})
