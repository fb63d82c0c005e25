import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import {
  keystoreError,
  parseAmount,
  type Transaction,
  type TransactionFields,
  toAmount,
} from '@hailstone/protocol'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type Client,
  createClient,
  createMemoryJournal,
  createPayments,
  createWallet,
  type JournalStore,
  type PaymentSigner,
  type Wallet,
  walletFromPrivateKey,
} from '../src/node.ts'
import { systemClock } from '../src/transport/clock.ts'

const COIN = parseAmount('1', { decimals: 10 })

let network: LocalNetwork
let client: Client
/** An account of its own for each test: the network has its payments, and journals of other tests do not. */
let wallet: Wallet
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'signed elsewhere', blockTimeMs: 3_600_000, keepAlive: true })
  client = createClient({ apiUrl: network.apiUrl })
})
beforeEach(async () => {
  wallet = createWallet()
  const from = walletFromPrivateKey(String(network.accounts.developers[0]?.privateKey))
  const { hash } = await client.sendTransaction({
    wallet: from,
    to: wallet.address,
    amount: toAmount(10n * COIN),
  })
  await network.closeNow()
  await client.waitForTransaction({ hash, pollMs: 50 })
})
afterAll(async () => {
  await client.close()
  await network.stop()
})

/** A signing server behind HTTP; answers wait for `before`. */
async function startRemoteSigner() {
  const asked: TransactionFields[] = []
  const server = createServer(async (request, response) => {
    const fields = JSON.parse((await request.toArray()).join(''), (name, value) =>
      name === 'amount' ? BigInt(value) : value,
    )
    asked.push(fields)
    await remote.before()
    const signed = remote.key.signTransaction({ ...fields, from: remote.key.address })
    const text = JSON.stringify(remote.forge(signed), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signer: PaymentSigner = {
    address: wallet.address,
    signTransaction: async (fields) => {
      const body = JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      const response = await fetch(url, { method: 'POST', body }).catch(() => {
        throw keystoreError('SIGNER_FAILED', { reason: 'the signing server is away' })
      })
      return JSON.parse(await response.text(), (name, value) =>
        name === 'amount' ? BigInt(value) : value,
      ) as Transaction
    },
  }
  const remote = {
    signer,
    asked,
    key: wallet,
    before: async (): Promise<void> => undefined,
    forge: (signed: Transaction): unknown => signed,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
    [Symbol.dispose]: () => remote.stop(),
  }
  return remote
}

/** A journal that outlives its payments, as a file does. */
function keptJournal(): () => JournalStore {
  const journal = createMemoryJournal()
  return () => ({ ...journal, close: async () => undefined })
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
/** Closes macroblocks until nothing is pending, and returns the payments that an account received. */
async function received(to: Wallet, expected: number): Promise<number> {
  const count = async (): Promise<number> => {
    await network.closeNow()
    return (await client.getTransactions({ address: to.address })).records.length
  }
  await expect.poll(count).toBe(expected)
  await later(200)
  return count()
}

it('a slow signer is asked once for a key, however often it is paid', async () => {
  using remote = await startRemoteSigner()
  remote.before = () => later(200)
  await using payments = await createPayments({
    client,
    journal: keptJournal()(),
    wallet: remote.signer,
    pollMs: 50,
  })
  const to = createWallet()
  const order = { to: to.address, amount: COIN, idempotencyKey: 'order 1' }
  const [one, two] = await Promise.all([payments.pay(order), payments.pay(order)])
  const three = await payments.pay(order)
  expect(new Set([one.id, two.id, three.id]).size).toBe(1)
  expect(remote.asked).toHaveLength(1)
  expect(await received(to, 1)).toBe(1)
})

const SIGNING_MS = 3_600_000

it('a signature that comes too late is dropped, and the key is paid once', async () => {
  using remote = await startRemoteSigner()
  const answers: (() => void)[] = []
  remote.before = () => new Promise((resolve) => answers.push(resolve))
  const journal = keptJournal()
  // The time limit of a signature is over when the test says so.
  const limits: (() => void)[] = []
  const sleep: typeof systemClock.sleep = (ms, signal) =>
    ms === SIGNING_MS ? new Promise((resolve) => limits.push(resolve)) : systemClock.sleep(ms, signal)
  await using payments = await createPayments({
    client,
    clock: { ...systemClock, sleep },
    journal: journal(),
    wallet: remote.signer,
    signingTimeoutMs: SIGNING_MS,
    pollMs: 50,
  })
  const to = createWallet()
  const order = { to: to.address, amount: COIN, idempotencyKey: 'order 2' }
  const late = payments.pay(order)
  await Promise.all([
    expect(late).rejects.toMatchObject({ code: 'SIGNER_FAILED' }),
    expect
      .poll(() => answers.length)
      .toBe(1)
      .then(() => limits[0]?.()),
  ])
  expect(payments.list().map(({ state }) => state)).toMatchObject([{ status: 'withdrawn' }])
  const again = payments.pay(order)
  await expect.poll(() => answers.length).toBe(2)
  answers[0]?.()
  await later(20)
  answers[1]?.()
  await again
  expect(await received(to, 1)).toBe(1)
  expect(
    payments
      .list()
      .map(({ state }) => state.status)
      .filter((status) => status === 'withdrawn'),
  ).toHaveLength(1)
  // The first one is no order of the network.
  expect(remote.asked[0]?.nonce).not.toBe(remote.asked[1]?.nonce)
})

it.each([
  ['closing', 'PAYMENTS_CLOSED'],
  ['a signal', 'the person left'],
] as const)(
  '%s ends the wait for a signature; what comes later is not sent, also not after a restart',
  async (way, reason) => {
    using remote = await startRemoteSigner()
    let answer: () => void = () => undefined
    remote.before = () => new Promise((resolve) => (answer = resolve))
    const journal = keptJournal()
    const payments = await createPayments({ client, journal: journal(), wallet: remote.signer, pollMs: 50 })
    const controller = new AbortController()
    const to = createWallet()
    const order = { to: to.address, amount: COIN, idempotencyKey: `order of ${way}` }
    const paid = payments.pay({ ...order, signal: controller.signal }).catch((error: unknown) => error)
    await expect.poll(() => remote.asked.length).toBe(1)
    if (way === 'closing') await payments.close()
    else controller.abort(new Error(reason))
    expect(await paid).toMatchObject(way === 'closing' ? { code: reason } : { message: reason })
    answer()
    await later(50)
    await payments.close()
    await using next = await createPayments({ client, journal: journal(), wallet, pollMs: 50 })
    await next.resume()
    expect(next.list().map(({ state }) => state.status)).toEqual(['withdrawn'])
    await next.pay(order)
    expect(await received(to, 1)).toBe(1)
  },
)

it('a signature of another account, of another payment or none at all is not sent', async () => {
  using remote = await startRemoteSigner()
  const stranger = createWallet()
  await using payments = await createPayments({ client, journal: keptJournal()(), wallet: remote.signer })
  const to = createWallet()
  const order = { to: to.address, amount: COIN }
  const altered = { code: 'PAYMENT_ALTERED' }
  const forgeries: readonly (() => void)[] = [
    () => Object.assign(remote, { key: stranger }),
    () =>
      Object.assign(remote, {
        key: wallet,
        forge: (signed: Transaction) => ({
          ...signed,
          signature: wallet.signTransaction({ ...signed, to: stranger.address }).signature,
        }),
      }),
    () =>
      Object.assign(remote, {
        forge: (signed: Transaction) => wallet.signTransaction({ ...signed, to: stranger.address }),
      }),
    () => Object.assign(remote, { forge: () => ({ signature: 7 }) }),
    () => Object.assign(remote, { forge: () => null }),
  ]
  for (const forge of forgeries) {
    forge()
    await expect(payments.pay(order)).rejects.toMatchObject(altered)
    await expect(client.sendTransaction({ wallet: { ...remote.signer }, ...order })).rejects.toMatchObject(
      altered,
    )
  }
  expect(await received(to, 0)).toBe(0)
  expect(await received(stranger, 0)).toBe(0)
})

it('a signer that changes the fields it was given changes nothing that is sent', async () => {
  const to = createWallet()
  const thief = createWallet()
  const signer: PaymentSigner = {
    address: wallet.address,
    signTransaction: async (fields) => wallet.signTransaction(Object.assign(fields, { to: thief.address })),
  }
  await using payments = await createPayments({ client, journal: keptJournal()(), wallet: signer })
  await expect(payments.pay({ to: to.address, amount: COIN })).rejects.toMatchObject({
    code: 'PAYMENT_ALTERED',
  })
  const sending = client.sendTransaction({ wallet: signer, to: to.address, amount: COIN })
  await expect(sending).rejects.toMatchObject({ code: 'PAYMENT_ALTERED' })
  expect(await received(thief, 0)).toBe(0)
})

it('a payment is not sent when its signal fires while it is signed', async () => {
  using remote = await startRemoteSigner()
  remote.before = () => later(150)
  const controller = new AbortController()
  const to = createWallet()
  const sending = client.sendTransaction({
    wallet: remote.signer,
    to: to.address,
    amount: COIN,
    signal: controller.signal,
  })
  const outcome = sending.catch((error: unknown) => error)
  await expect.poll(() => remote.asked.length).toBe(1)
  controller.abort(new Error('left'))
  expect(await outcome).toMatchObject({ message: 'left' })
  await later(200)
  expect(await received(to, 0)).toBe(0)
})
