import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it, vi } from 'vitest'
import { walletFromPrivateKey } from '../src/node.ts'
import { acme, client } from './readme/define-network.ts'
import { openWallet } from './readme/keep-key.ts'
import { pay } from './readme/pay.ts'
import { payOrder } from './readme/pay-order.ts'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const readme = ['README.md', 'GUIDE.md'].map((name) => readFileSync(pathOf(`../${name}`), 'utf8')).join('\n')

it('shows the examples that are compiled here, and no others', async () => {
  const names = readdirSync(pathOf('./readme')).sort()
  const texts = await Promise.all(names.map((name) => readFile(pathOf(`./readme/${name}`), 'utf8')))
  const shown = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
  expect(shown.sort()).toStrictEqual(texts.sort())
})

it('shows examples that work', async () => {
  expect(client.network).toMatchObject(acme)
  await client.close()
  await using network = await startLocalNetwork({ blockTimeMs: 200, seed: 'readme' })
  const { apiUrl } = network
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-readme-'))
  const [from, to] = network.accounts.developers
  if (from === undefined || to === undefined) throw new Error('no developers')
  expect(await pay(apiUrl, from.privateKey, to.address)).toMatch(/^confirmed: 24\.9 \w+ arrived$/)

  const path = join(folder, 'key.json')
  const opened = await openWallet(path, 'correct horse battery')
  expect((await openWallet(path, 'correct horse battery')).address).toBe(opened.address)

  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  // Of an account that has paid nothing yet, for the journal is new.
  const wallet = walletFromPrivateKey(to.privateKey)
  const shop = { apiUrl, wallet, journalPath: join(folder, 'payments') }
  const order = { number: '17', receiver: from.address, coins: '25' }
  const before = network.balance(from.address)
  expect(await payOrder(shop, order)).toBe('order 17 is confirmed')
  expect(await payOrder(shop, order)).toBe('order 17 is confirmed')
  expect(network.balance(from.address) - before).toBe(249_000_000_000n)
  expect(printed.mock.calls).toStrictEqual([
    [expect.stringMatching(/^24\.9 \w+ arrive, 0\.1 \w+ are the fee$/)],
  ])
  printed.mockRestore()
  await rm(folder, { recursive: true })
})

/** Every code that a file of this package raises, or that reaches its users from the values it reads. */
function raisedCodes(): readonly string[] {
  const folder = pathOf('../src/')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const codes = sources.flatMap((name) =>
    [
      ...readFileSync(folder + name, 'utf8').matchAll(
        /(?:new Node|api|payment|keystore|quorum)Error\(\s*'([A-Z_]+)'/g,
      ),
    ].map(([, code]) => code ?? ''),
  )
  const ofValues = ['AMOUNT_OUT_OF_RANGE', 'PRIVATE_KEY_MALFORMED', 'TOKEN_ID_MALFORMED']
  return [...new Set([...codes, ...ofValues])].sort()
}

it('explains every error code that the sources raise, and no other', () => {
  const explained = [...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code ?? '')
  expect(explained).toStrictEqual(raisedCodes())
})

it('explains every state of a payment', () => {
  const source = readFileSync(pathOf('../src/payments/payment-record.ts'), 'utf8')
  const [, table = ''] = /PaymentStatus, readonly string\[\]>> = \{([^}]*)\}/.exec(source) ?? []
  const states = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
  const explained = [...readme.matchAll(/^\| (`\w+`(?:, `\w+`)*) +\|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(states.length).toBeGreaterThan(10)
  expect(explained).toStrictEqual(expect.arrayContaining(states))
})
