import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createClient as createPageClient } from '../src/browser-development.ts'
import { createClient, createClientCore, createPayments, createWallet, openFileJournal } from '../src/node.ts'

const apiUrl = 'http://127.0.0.1:9/api/v1'
const { address } = createWallet()

it.each([
  ['createClient', 'apiURL', 'apiUrl', createClient],
  ['createClient', 'apiUrl1', 'apiUrl', createPageClient],
  ['createClient', 'timeout', 'timeoutMs', createPageClient],
  ['createClient', 'quorums', 'quorum', createClient],
  ['createClientCore', 'loger', 'logger', createClientCore],
])('%s refuses %s and names %s', (of, found, meant, act: (given: never) => unknown) => {
  expect(() => act({ apiUrl, [found]: 1 } as never)).toThrow(
    new RegExp(`of ${of} should be named ${meant}; found the text "${found}"`),
  )
})

it.each([
  ['a balance of another token than was meant', 'getBalance', { address, tokenID: 'HAIL' }, 'tokenId'],
  ['the first page again', 'getRewards', { address, pages: 2 }, 'page'],
  ['a nonce of its own', 'sendTransaction', { to: address, amount: 1n, nonces: 5 }, 'nonce'],
] as const)(
  'answers a misspelt parameter with its name, not with %s',
  async (_, action, parameters, meant) => {
    const client = createClient({ apiUrl })
    await expect(client[action](parameters as never)).rejects.toThrow(
      `of ${action} should be named ${meant};`,
    )
  },
)

it('pays nothing under a misspelt idempotency key or cap', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-names-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const journal = await openFileJournal({ path: join(folder, 'journal') })
  const client = createClient({ apiUrl })
  await expect(createPayments({ client, journal, feeCaps: {} } as never)).rejects.toThrow(
    'of createPayments should be named feeCap;',
  )
  await using payments = await createPayments({ client, journal, wallet: createWallet() })
  const pay = (more: object) => payments.pay({ to: address, amount: 1n as never, ...more } as never)
  await expect(pay({ idempotencykey: 'order 17' })).rejects.toThrow('of pay should be named idempotencyKey;')
  await expect(pay({ feeCap: { shareBPS: 1n } })).rejects.toThrow('of feeCap should be named shareBps;')
})

it('leaves settings of the program alone that resemble none of a client', () => {
  expect(createClient({ apiUrl, webhook: '', port: 1 } as never).apiUrl).toBe(apiUrl)
})
