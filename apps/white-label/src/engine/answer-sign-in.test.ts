import { signIn, walletFromPrivateKey } from '@hailstone/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerSignIn } from './answer-sign-in.ts'
import type { Storage } from './storage.ts'

const startMs = Date.UTC(2026, 10, 29)
const pages = ['https://shop.example/signed-in']
const wallet = walletFromPrivateKey('7'.padStart(64, '0'))

beforeEach(() => void vi.useFakeTimers({ now: startMs, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** Answers requests for one nonce with the values of a browser. */
function browser() {
  const values = new Map<string, unknown>()
  const swap: Storage['swap'] = async (names, act) => {
    const before = Object.fromEntries(names.map((name) => [name, values.get(name)]))
    for (const [name, value] of Object.entries(act(before))) values.set(name, value)
    return before
  }
  const storage = { swap } as Storage
  const answer = (openForMs: number, nonce = 'nonce-123') => {
    const request = { page: pages[0] ?? '', nonce, expiresAtMs: Date.now() + openForMs }
    return answerSignIn(request, { wallet, pages, storage, sign: signIn })
  }
  return { values, answer }
}

it('signs a nonce once, also where a later link lets it expire later', async () => {
  const { answer } = browser()
  expect(await answer(1_000)).toMatchObject({ ok: true, proof: { nonce: 'nonce-123', host: 'shop.example' } })
  expect(await answer(1_000)).toEqual({ ok: false, why: 'answered' })
  vi.setSystemTime(startMs + 2_000)
  expect(await answer(1_000, 'nonce-456')).toMatchObject({ ok: true })
  expect(await answer(300_000)).toEqual({ ok: false, why: 'answered' })
})

it('keeps no nonce for longer than a link may be open', async () => {
  const { values, answer } = browser()
  await answer(1_000)
  vi.setSystemTime(startMs + 3_600_000)
  await answer(1_000, 'nonce-456')
  expect(Object.keys(values.get('answeredSignIns') as object)).toEqual(['shop.example nonce-456'])
})
