import { randomBytes } from 'node:crypto'
import { addressOf, type Hash, isNodeError, type JsonValue, parsePrivateKey } from '@hailstone/protocol'
import { describe, expect, test } from 'vitest'
import { startLocalNetwork } from '../src/serve.ts'
import { ask, type Seen } from './plain-http.ts'
import { COIN, json, useFaultyInterface } from './use-faulty-interface.ts'

const given = useFaultyInterface()
const { fault, get, newPayment, post, isPending } = given

const BEHIND = 3
const behind = (blocksBehind = BEHIND): void => fault({ otherNode: { blocksBehind } }, { probability: 1 })
const newAddress = () => addressOf(parsePrivateKey(randomBytes(32).toString('hex')))

const heightOf = async (): Promise<number> =>
  Number((json(await get('/height')) as { readonly height: bigint }).height)
const amountOf = async (address: string): Promise<JsonValue | undefined> =>
  (json(await get(`/balance?id=${address}`)) as { readonly amount?: JsonValue }).amount
const receivedBy = async (address: string): Promise<readonly { readonly hash: Hash }[]> =>
  (
    json(await get(`/account_in?id=${address}&page=0`)) as {
      readonly records: readonly { readonly hash: Hash }[]
    }
  ).records
/** Without what depends on the time. */
const content = ({ status, text }: Seen) => ({ status, text })

/** An account that was paid twice, `BEHIND` macroblocks apart, and a chain of so many macroblocks on top of the first. */
async function payTwice() {
  const { control } = given.network
  const address = newAddress()
  const first = await control.fund(address, COIN)
  const heightBetween = given.network.height()
  const second = await control.fund(address, 2n * COIN)
  await control.mine(BEHIND - 1)
  expect(given.network.height()).toBe(heightBetween + BEHIND)
  return { address, first, second, heightBetween }
}

describe('another node that is behind', () => {
  test('has its own height, and no macroblock above it', async () => {
    await given.network.control.mine(BEHIND)
    const real = given.network.height()
    const openBlock = json(await get(`/macroblock_by_height?height=${real}`)) as {
      readonly kblock: { readonly hash: string }
    }
    const missing = await get(`/macroblock_by_height?height=${real + 50}`)
    const closed = await get(`/macroblock_by_height?height=${real - BEHIND - 1}`)
    const unknown = await get(`/macroblock?hash=${'ab'.repeat(32)}`)
    behind()
    expect(await heightOf()).toBe(real - BEHIND)
    for (let height = real - BEHIND + 1; height <= real; height++) {
      const { status, text } = await get(`/macroblock_by_height?height=${height}`)
      expect(status).toBe(missing.status)
      expect(text).toBe(missing.text.replace(String(real + 50), String(height)))
    }
    expect(content(await get(`/macroblock?hash=${openBlock.kblock.hash}`))).toEqual(content(unknown))
    expect(content(await get(`/macroblock_by_height?height=${real - BEHIND - 1}`))).toEqual(content(closed))
    expect(given.network.faults.fired()[0]).toMatchObject({
      fault: 'otherNode',
      subject: 'GET /api/v1/height',
    })
  })

  test('has balances, histories and transactions up to its height', async () => {
    const { address, first, second } = await payTwice()
    expect(await amountOf(address)).toBe(3n * COIN)
    expect((await receivedBy(address)).map(({ hash }) => hash)).toEqual([second.hash, first.hash])
    const found = await get(`/tx?hash=${first.hash}`)
    expect((await get(`/tx?hash=${second.hash}`)).text).toContain(second.hash)
    const nowhere = await get(`/tx?hash=${'cd'.repeat(32)}`)

    behind()
    expect(await amountOf(address)).toBe(COIN)
    expect((await receivedBy(address)).map(({ hash }) => hash)).toEqual([first.hash])
    expect(content(await get(`/tx?hash=${first.hash}`))).toEqual(content(found))
    expect(content(await get(`/tx?hash=${second.hash}`))).toEqual(content(nowhere))

    given.network.faults.clear()
    const unknown = newAddress()
    const ofUnknown = [await get(`/account_in?page=0&id=${unknown}`), await get(`/balance?id=${unknown}`)]
    behind(BEHIND + 1)
    const seen = [await get(`/account_in?page=0&id=${address}`), await get(`/balance?id=${address}`)]
    expect(seen.map(({ text }) => text.replace(address, unknown))).toEqual(ofUnknown.map(({ text }) => text))

    given.network.faults.clear()
    expect(await amountOf(address)).toBe(3n * COIN)
    expect(await heightOf()).toBe(given.network.height())
  })

  test('follows the chain, also back, and to another branch', async () => {
    const { address, heightBetween } = await payTwice()
    const { control } = given.network
    behind()
    expect(await amountOf(address)).toBe(COIN)
    await control.mine()
    expect(await heightOf()).toBe(heightBetween + 1)
    expect(await amountOf(address)).toBe(3n * COIN)
    // Back to before the second payment, and forwards without it.
    await control.reorganise(BEHIND + 1, { keepTransactions: false })
    expect(await heightOf()).toBe(heightBetween - BEHIND)
    await control.mine(BEHIND + 2)
    expect(await heightOf()).toBe(heightBetween + 2)
    expect(await amountOf(address)).toBe(COIN)
    const path = `/macroblock_by_height?height=${heightBetween + 1}`
    const seen = await get(path)
    given.network.faults.clear()
    expect(content(await get(path))).toEqual(content(seen))
  })

  test('is at the first macroblock while the chain has no more than its lag', async () => {
    const real = given.network.height()
    const origin = await get('/macroblock_by_height?height=0')
    fault({ otherNode: { blocksBehind: 100 } }, { path: '/height' })
    expect(real).toBeLessThan(100)
    expect((await get('/height')).text).toBe('{}')
    expect(content(await get('/macroblock_by_height?height=0'))).toEqual(content(origin))
  })

  test('has heard of no transaction that this one took, which takes all that are posted', async () => {
    behind()
    const { hash, body } = newPayment()
    expect(json(await post(body))).toMatchObject({ err: 0n, result: [{ hash }] })
    expect(await isPending(hash)).toBe(false)
    expect(json(await get('/pending_size'))).toEqual([{ count: 0n }])
    expect(
      json(await get(`/pending_tx_account?id=${given.network.accounts.developers[0]?.address}`)),
    ).toEqual([])
    expect(given.network.faults.fired().every(({ subject }) => subject.startsWith('GET '))).toBe(true)
    given.network.faults.clear()
    expect(await isPending(hash)).toBe(true)
  })

  test('answers only what its rule fits, and other faults happen to its answers too', async () => {
    const real = given.network.height()
    given.network.faults.set({
      rules: [
        { on: 'api', match: { path: '/height', every: 2 }, fault: { otherNode: { blocksBehind: 1 } } },
        {
          on: 'api',
          match: { path: '/height', from: 3 },
          fault: { rewrite: [{ path: 'height', add: 1000 }] },
        },
      ],
    })
    const seen: number[] = []
    for (let asked = 0; asked < 4; asked++) seen.push(await heightOf())
    expect(seen).toEqual([real, real - 1, real + 1000, real + 999])
  })

  test('answers under the names of this network alone', async () => {
    const elsewhere = { headers: { host: 'elsewhere.example' } }
    const refusal = await get('/height', elsewhere)
    expect(refusal.status).not.toBe(200)
    behind()
    expect(content(await get('/height', elsewhere))).toEqual(content(refusal))
  })
})

test('a network stops while another node still reads its chain', async () => {
  const network = await startLocalNetwork({ blockTimeMs: 3_600_000, keepAlive: false })
  await network.control.mine(3)
  network.faults.set({ rules: [{ on: 'api', fault: { otherNode: { blocksBehind: 1 } } }] })
  network.faults.set({ rules: [{ on: 'api', fault: { otherNode: { blocksBehind: 2 } } }] })
  await network.stop()
  await expect(ask(`${network.apiUrl}/height`)).resolves.toMatchObject({ status: null })
})

test('a script of the start has its other node from the first answer on', async () => {
  await using network = await startLocalNetwork({
    blockTimeMs: 3_600_000,
    keepAlive: false,
    faults: { rules: [{ on: 'api', fault: { otherNode: { blocksBehind: 1 } } }] },
  })
  await network.control.mine(2)
  expect((await ask(`${network.apiUrl}/height`)).text).toBe('{"height":1}')
})

test('a wrong lag keeps a network from starting', async () => {
  const faults = { rules: [{ on: 'api' as const, fault: { otherNode: { blocksBehind: 0 } } }] }
  await expect(startLocalNetwork({ faults })).rejects.toSatisfy(
    (error: unknown) =>
      isNodeError(error, 'CONFIGURATION_INVALID') && error.facts.path.endsWith('blocksBehind'),
  )
})
