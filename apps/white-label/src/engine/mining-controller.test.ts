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

afterEach(() => void vi.useRealTimers())

it('mines once unlocked, also where the storage failed at that moment', async () => {
  vi.useFakeTimers()
  const wallet = { address: own }
  const state = {
    status: 'locked',
    address: own,
    isBackedUp: true,
    hasWords: false,
    isSealed: true,
    wasExposed: false,
  }
  const account = {
    state: async () => ({ ...state }),
    wallet: async () => (state.status === 'open' ? wallet : null),
  } as unknown as AccountStore
  const values = { account: { address: own } }
  const storage = { swap: async () => values } as unknown as Storage
  const policy = { wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: [] }
  const controller = await openMiningController({
    config: { brandId: 'acme', autoStart: true, defaultAgent: null, policy } as never,
    ...{ client: {} as never, storage, account, hasSlept: false },
    conditions: { hasConsent: true, isOnline: true, isMetered: null, isCharging: null, battery: null },
    ...{ onChange: () => undefined, onMoved: () => undefined },
    tools: {
      isAddress: (_): _ is Address => true,
      plainError: String as never,
      watchOnlyWallet: () => wallet as never,
    },
  })
  const status = () => controller.state().snapshot?.state.status
  expect(status()).toBe('idle')
  state.status = 'open'
  mayHaveDatabase.mockRejectedValueOnce(fault)
  await controller.reload().catch(() => undefined)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(status()).toBe('mining')
  await controller.close()
})
