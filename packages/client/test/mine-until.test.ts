import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import {
  createClient,
  createMemoryJournal,
  createPayments,
  parseAmount,
  walletFromPrivateKey,
} from '../src/node.ts'

it('settles payments by itself with automine, in seven macroblocks each at most', async () => {
  await using local = await startLocalNetwork({ seed: 'automine', blockTimeMs: 3_600_000, automine: true })
  const [payer, receiver] = local.accounts.developers
  await using client = createClient({ network: local.network })
  const [journal, wallet] = [createMemoryJournal(), walletFromPrivateKey(payer.privateKey)]
  await using payments = await createPayments({ client, journal, wallet, pollMs: 20 })
  const before = local.height()
  for (const amount of [20n, 30n]) {
    const payment = await payments.pay({ to: receiver.address, amount: amount * 10n ** 10n })
    expect((await payment.settled()).state.status).toBe('confirmed')
  }
  expect(local.height() - before).toBeLessThanOrEqual(14)
  expect(client.network).toMatchObject({ name: 'local', nativeSymbol: 'DEV' })
})

it('mines until a payment is settled, in a few macroblocks and no time of blocks', async () => {
  await using network = await startLocalNetwork({ seed: 'mine until', blockTimeMs: 3_600_000 })
  const [payer, receiver] = network.accounts.developers
  if (payer === undefined || receiver === undefined) throw new Error('the network has no accounts')
  await using client = createClient({ apiUrl: network.apiUrl })
  const journal = createMemoryJournal()
  const wallet = walletFromPrivateKey(payer.privateKey)
  await using payments = await createPayments({ client, journal, wallet, pollMs: 20 })
  const before = network.height()
  const amount = parseAmount('1', { decimals: 10 })
  const payment = await payments.pay({ to: receiver.address, amount })
  const { state } = await network.mineUntil(payment.settled())
  expect(state.status).toBe('confirmed')
  expect(network.height() - before).toBeGreaterThan(3)
  await expect(network.mineUntil(Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  const never = new Promise(() => undefined)
  await expect(network.mineUntil(never, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'CONTROL_REFUSED' })
  await expect(network.mineUntil(never, { signal: AbortSignal.abort('left') })).rejects.toBe('left')
  await expect(network.mineUntil(undefined as never)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
})
