import {
  createClient,
  createMemoryJournal,
  createPayments,
  parseAmount,
  walletFromPrivateKey,
} from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'

it('pays an order once', async () => {
  await using local = await startLocalNetwork({ seed: 'my payments' })
  const [payer, shop] = local.accounts.developers
  await using client = createClient({ network: local.network })
  const [journal, wallet] = [createMemoryJournal(), walletFromPrivateKey(payer.privateKey)]
  await using payments = await createPayments({ client, journal, wallet, pollMs: 50 })
  const order = { to: shop.address, amount: parseAmount('1', { decimals: 10 }), idempotencyKey: 'order 17' }

  const [payment, again] = [await payments.pay(order), await payments.pay(order)]
  const { state } = await local.mineUntil(payment.settled())

  expect(state.status).toBe('confirmed')
  expect(again.hash).toBe(payment.hash)
}, 60_000)
