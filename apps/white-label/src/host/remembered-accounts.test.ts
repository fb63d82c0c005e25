import type { Address } from '@hailstone/mining-node'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accountMemory } from '../engine/account-memory.ts'
import type { FromEngine } from '../engine/engine-messages.ts'
import { connectEngine } from './engine-connection.ts'
import { rememberedAccounts } from './remembered-accounts.ts'

const VAULT = 'hailstone-acme-vault'
const [first, second, third] = ['a', 'b', 'c'].map((digit) => `02${digit.repeat(64)}` as Address) as [
  Address,
  Address,
  Address,
]

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Opens a page with its worker. Returns the memory of the worker's vault. */
function openTab() {
  const worker = Object.assign(new EventTarget(), { postMessage: () => {} })
  connectEngine(worker as unknown as Worker)
  return accountMemory(rememberedAccounts(VAULT), (change) => {
    const data: FromEngine = { type: 'remember', vaultName: VAULT, ...change }
    worker.dispatchEvent(new MessageEvent('message', { data }))
  })
}

it('keeps for the next worker which accounts there should be, and not those that were removed', () => {
  const before = openTab()
  before.write([first, second])
  expect(openTab().read()).toEqual([first, second])
  before.write([second])
  expect(openTab().read()).toEqual([second])
})

it('does not bring back what another tab has removed', () => {
  const [one, other] = [openTab(), openTab()]
  one.write([first])
  const late = openTab()
  one.write([])
  late.write([...late.read(), third])
  other.write([second])
  expect(rememberedAccounts(VAULT)).toEqual([third, second])
})
