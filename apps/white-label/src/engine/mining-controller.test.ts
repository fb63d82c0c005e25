import type { Address } from '@hailstone/mining-node'
import { afterEach, expect, it, vi } from 'vitest'
import type { AccountStore } from './account-store.ts'
import { openMiningController } from './mining-controller.ts'
import type { Storage } from './storage.ts'

const own = '02aa' as Address
const fault = new Error('Connection to Indexed Database server lost.')
const mayHaveDatabase = vi.hoisted(() => vi.fn(async () => false))
vi.mock('./storage.ts', () => ({ mayHaveDatabase }))
vi.mock('./open-account-node.ts', () => ({
  openAccountNode: async () => {
    let status = 'idle'
    const nothing = async (): Promise<void> => undefined
    return {
      ...{ watch: nothing, close: nothing, on: () => undefined, subscribe: () => undefined },
      snapshot: () => ({
        address: own,
        balance: null,
        height: null,
        stakes: null,
        lastError: null,
        state: { status },
      }),
      get state() {
        return { status }
      },
      start: async () => {
        status = 'mining'
      },
      stop: async () => {
        status = 'stopped'
      },
    }
  },
}))

const payOutOnce = vi.hoisted(() => vi.fn(async () => null))
vi.mock('./payouts.ts', () => ({ payOutOnce }))
vi.mock('./payment-approvals.ts', () => ({
  openPaymentApprovals: async () => ({ list: () => [], close: async () => undefined }),
}))

afterEach(() => void vi.useRealTimers())

const sealed = { address: own, isBackedUp: true, hasWords: false, isSealed: true, wasExposed: false }

/** Opens the controller of an account whose state a test changes. */
async function open(state: { status: string }, kept: object = {}) {
  vi.useFakeTimers()
  const wallet = { address: own }
  const account = {
    state: async () => {
      if (state.status === 'deleted') throw fault
      return { ...sealed, ...state }
    },
    wallet: async () => (state.status === 'open' ? wallet : null),
  } as unknown as AccountStore
  const swap = async () => {
    if (state.status === 'deleted') throw fault
    return { account: { address: own }, ...kept }
  }
  const storage = { swap } as unknown as Storage
  const policy = { wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: [] }
  return openMiningController({
    config: { brandId: 'acme', autoStart: true, defaultAgent: null, mayPayOut: true, policy } as never,
    ...{ client: {} as never, storage, account, hasSlept: false },
    conditions: { hasConsent: true, isOnline: true, isMetered: null, isCharging: null, battery: null },
    ...{ onChange: () => undefined, onMoved: () => undefined },
    tools: {
      isAddress: (_): _ is Address => true,
      plainError: String as never,
      watchOnlyWallet: () => wallet as never,
    },
  })
}

it('mines once unlocked, also where the storage failed at that moment', async () => {
  const state = { status: 'locked' }
  const controller = await open(state)
  const status = () => controller.state().snapshot?.state.status
  expect(status()).toBe('idle')
  state.status = 'open'
  mayHaveDatabase.mockRejectedValueOnce(fault)
  await controller.reload().catch(() => undefined)
  // That nothing can be stored is no error that nobody catches.
  state.status = 'deleted'
  await vi.advanceTimersByTimeAsync(120_000)
  state.status = 'open'
  await vi.advanceTimersByTimeAsync(2_000)
  expect(status()).toBe('mining')
  await controller.close()
})

it('looks for a payout on time after the clock was set back', async () => {
  const numbers = { decimals: 10, above: 5n, least: 1n, everyMs: 86_400_000, height: 7 }
  const controller = await open(
    { status: 'open' },
    { payout: { to: own, tokenId: 'aa', proof: 'bb', ...numbers } },
  )
  await vi.advanceTimersByTimeAsync(2_000)
  expect(payOutOnce).toHaveBeenCalledTimes(1)
  vi.setSystemTime(Date.now() - 86_400_000)
  await vi.advanceTimersByTimeAsync(40_000)
  expect(payOutOnce).toHaveBeenCalledTimes(2)
  await controller.close()
})
