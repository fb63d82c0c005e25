import type { FaultScript } from '@hailstone/fault-injection'
import type { JsonValue } from '@hailstone/protocol'
import { describe, expect, test } from 'vitest'
import { ask } from './plain-http.ts'
import { COIN, json, useFaultyInterface } from './use-faulty-interface.ts'

const given = useFaultyInterface()
const { fault, get, newPayment, post, isPending } = given

describe('lies', () => {
  test('a balance is another one', async () => {
    const [account] = given.network.accounts.developers
    fault(
      {
        rewrite: [
          { path: 'amount', value: 18_446_744_073_709_551_615n },
          { path: 'decimals', value: '10' },
        ],
      },
      { path: '/balance' },
    )
    const seen = await get(`/balance?id=${account?.address}`)
    expect(seen.text).toContain('"amount":18446744073709551615,')
    expect(json(seen)).toMatchObject({ decimals: '10' })
    expect(given.network.faults.fired()).toMatchObject([{ detail: { changed: 2 } }])
  })

  test.each([
    ['big', 10n ** 30n],
    ['negative', -1],
    ['fractional', 0.5],
  ])('a fee is %s', async (_, value) => {
    fault({ rewrite: [{ path: '[0].fee_value', value }] }, { path: '/token_info' })
    const [token] = json(await get(`/token_info?hash=${given.network.tokens.native.id}`)) as readonly {
      readonly fee_value: JsonValue
    }[]
    expect(token?.fee_value).toBe(
      typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
    )
  })

  test('one block is missing', async () => {
    fault({ status: { code: 404, body: 'json' } }, { path: '/macroblock_by_height', query: { height: '1' } })
    expect((await get('/macroblock_by_height?height=0')).status).toBe(200)
    expect((await get('/macroblock_by_height?height=1')).status).toBe(404)
  })

  test('a posted transaction gets the hash of another one', async () => {
    fault({ wrongHash: true }, { path: '/tx' })
    const { hash, body } = newPayment()
    const answer = json(await post(body)) as { readonly result: readonly { readonly hash: string }[] }
    expect(answer.result[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(answer.result[0]?.hash).not.toBe(hash)
    expect(await isPending(hash)).toBe(true)
  })

  test('a posted transaction is accepted and forgotten', async () => {
    fault({ acceptThenForget: true }, { path: '/tx' })
    const { hash, body } = newPayment()
    expect(json(await post(body))).toMatchObject({ err: 0n, result: [{ hash }] })
    expect(await isPending(hash)).toBe(false)
  })

  test('the whole pool is forgotten', async () => {
    const { hash, body } = newPayment()
    await post(body)
    expect(await isPending(hash)).toBe(true)
    fault({ forgetPool: true }, { path: '/height' })
    await get('/height')
    expect(await isPending(hash)).toBe(false)
  })

  test('a request arrives twice', async () => {
    fault({ duplicate: { times: 2 } }, { path: '/tx' })
    expect(json(await post(newPayment().body))).toMatchObject({ message: 'TX is already in txpool' })
  })

  test('histories repeat, leave out, overlap and never end', async () => {
    const [from, to] = given.network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are developers')
    for (let paid = 0; paid < 3; paid++) await given.network.control.fund(to.address, COIN)
    const records = async (page = 0): Promise<readonly { readonly i: bigint }[]> => {
      const answer = json(await get(`/account_in?id=${to.address}&page=${page}`))
      return (answer as unknown as { readonly records: readonly { readonly i: bigint }[] }).records
    }
    const numbers = async (page?: number) => (await records(page)).map(({ i }) => i)
    const genuine = await numbers()
    expect(genuine.length).toBe(3)
    fault({ records: 'repeat' })
    expect(await numbers()).toEqual([genuine[0], ...genuine])
    fault({ records: 'skip' })
    expect(await numbers()).toHaveLength(2)
    fault({ records: 'overlap' })
    expect(await numbers()).toEqual(genuine)
    expect(await numbers()).toEqual([genuine[2], ...genuine])
    fault({ records: 'endless' })
    expect(await numbers(0)).toEqual(genuine)
    expect(await numbers(1)).toEqual(genuine)
    expect(await numbers(99)).toEqual(genuine)
  })
})

describe('rules', () => {
  test('all that fit act, the first one outermost', async () => {
    given.network.faults.set({
      rules: [
        { on: 'api', fault: { delay: { ms: 100 } } },
        { on: 'api', match: { path: '/height' }, fault: { rewrite: [{ path: 'height', add: 5 }] } },
        { on: 'api', match: { path: '/heigh*' }, fault: { rewrite: [{ path: 'height', add: 1 }] } },
      ],
    })
    const seen = await get('/height')
    expect(json(seen)).toEqual({ height: BigInt(given.network.height() + 6) })
    expect(seen.tookMs).toBeGreaterThan(95)
    expect(given.network.faults.fired().map(({ rule }) => rule)).toEqual([0, 1, 2])
  })

  test.each([
    [{ nth: 2 }, [200, 503, 200, 200, 200, 200]],
    [{ every: 3 }, [200, 200, 503, 200, 200, 503]],
    [{ from: 3 }, [200, 200, 503, 503, 503, 503]],
    [{ until: 2 }, [503, 503, 200, 200, 200, 200]],
    [{ from: 2, until: 4, every: 2 }, [200, 503, 200, 503, 200, 200]],
    [{ probability: 0 }, [200, 200, 200, 200, 200, 200]],
    [{ probability: 1 }, [503, 503, 503, 503, 503, 503]],
  ])('%j chooses among those that fit', async (match, statuses) => {
    fault({ status: { code: 503 } }, match)
    const seen: (number | null)[] = []
    for (const _ of statuses) seen.push((await get('/height')).status)
    expect(seen).toEqual(statuses)
  })

  test('a window of time ends by itself', async () => {
    fault({ status: { code: 503 } }, { untilMs: 1500 })
    expect((await get('/height')).status).toBe(503)
    await expect.poll(async () => (await get('/height')).status).toBe(200)
  })

  test('the same seed and the same requests give the same run, another seed another one', async () => {
    const rules: FaultScript['rules'] = [
      { on: 'api', match: { probability: 0.5 }, fault: { status: { code: 503 } } },
      { name: 'bits', on: 'api', match: { probability: 0.5 }, fault: { corrupt: { bits: [1, 9] } } },
      { on: 'api', match: { every: 4 }, fault: { cut: { of: 'answer', afterBytes: [0, 200] } } },
    ]
    const run = async (seed: string) => {
      given.network.faults.set({ seed, rules })
      const seen: string[] = []
      for (let asked = 0; asked < 20; asked++) {
        const { status, text, error } = await get(asked % 3 === 0 ? '/stats' : '/height')
        seen.push(`${status} ${text} ${error}`)
      }
      return { seen, fired: given.network.faults.fired() }
    }
    const first = await run('one')
    expect(first.fired.length).toBeGreaterThan(10)
    expect(await run('one')).toEqual(first)
    expect((await run('two')).fired).not.toEqual(first.fired)
  })

  test('reference and start page are spared', async () => {
    fault({ status: { code: 503 } })
    expect((await ask(given.network.docsUrl)).status).toBe(200)
    expect((await ask(new URL('/', given.network.apiUrl).href)).status).toBe(200)
  })
})
