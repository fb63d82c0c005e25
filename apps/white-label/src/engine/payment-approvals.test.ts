import {
  createClient,
  createMemoryJournal,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSummary,
  type Payments,
  walletFromPrivateKey,
} from '@hailstone/client'
import { toAmount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it, vi } from 'vitest'
import { sendFaultKey } from '../views/send-fault.ts'
import { openPaymentApprovals } from './payment-approvals.ts'
import { proveConsent } from './payment-consent.ts'
import { plainError } from './plain-error.ts'

const given = vi.hoisted(() => ({ payments: null as Partial<Payments> | null }))
vi.mock('@hailstone/client', async (original) => {
  const client = await original<typeof import('@hailstone/client')>()
  return {
    ...client,
    openBrowserJournal: async () => createMemoryJournal(),
    createPayments: async (parameters: Parameters<typeof client.createPayments>[0]) =>
      given.payments ?? client.createPayments(parameters),
  }
})

const client = createClient({
  network: {
    name: 'custom',
    apiUrl: 'http://127.0.0.1:9',
    gatewayUrl: '',
    nativeTokenId: ZERO_TOKEN_ID,
    nativeSymbol: '',
    nativeDecimals: 10,
  },
})

it('reports that nothing was sent when an approval is for a payment that an earlier leader prepared', async () => {
  const approvals = await openPaymentApprovals({
    client,
    journalName: 'payments',
    wallet: null,
    onChange() {},
  })
  const fault = plainError(await approvals.approve('ticket', 'proof').catch((error: unknown) => error))
  expect(sendFaultKey(fault.code)).toBe('send.failed')
  await approvals.close()
})

it('says nothing certain of a payment whose bytes were stored when its leader closed', () => {
  expect(sendFaultKey('PAYMENTS_CLOSED', { hash: 'ab'.repeat(32) })).toBe('tx.uncertainText')
  expect(sendFaultKey('PAYMENTS_CLOSED', { hash: null })).toBe('send.failed')
})

it('shows the payments of this chain alone once it has said its name, and tells the page then', async () => {
  const payments = [
    { id: 'strange', isOfOtherChain: false },
    { id: 'own', isOfOtherChain: false },
  ]
  given.payments = {
    list: () => payments as never,
    subscribe: () => () => {},
    resume: async () => {
      Object.assign(payments[0] ?? {}, { isOfOtherChain: true })
      throw new Error('the network is another one')
    },
  }
  const onChange = vi.fn()
  const { list } = await openPaymentApprovals({ client, journalName: 'payments', wallet: null, onChange })
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce())
  expect(list().map(({ id }) => id)).toEqual(['own'])
  given.payments = null
})

it('signs once where two equal approvals come at once, and both get the same payment', async () => {
  const wallet = walletFromPrivateKey('1'.repeat(64))
  const summary = { bytes: '{}', id: 'paid once', from: wallet.address } as unknown as PaymentSummary
  const made: PaymentInfo[] = []
  given.payments = {
    list: () => made,
    subscribe: () => () => {},
    resume: async () => [],
    async pay({ consent }) {
      await null
      if ((await consent?.(summary)) !== true) throw new Error('declined')
      made.push({ id: 'paid once' } as PaymentInfo)
      return { id: 'paid once' } as PaymentHandle
    },
    close: async () => {},
  }
  const approvals = await openPaymentApprovals({ client, journalName: 'payments', wallet, onChange() {} })
  const order = { to: wallet.address, amount: toAmount(1n) }
  expect(approvals.isWaiting()).toBe(false)
  const proof = await proveConsent(wallet, await approvals.prepare('ticket', order))
  expect(approvals.isWaiting()).toBe(true)
  // A tab that was closed holds nothing back for ever.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 600_000)
  expect(approvals.isWaiting()).toBe(false)
  now.mockRestore()
  const forged = `${proof.startsWith('0') ? '1' : '0'}${proof.slice(1)}`
  const answers = await Promise.allSettled([
    approvals.approve('ticket', proof, 'paid once'),
    approvals.approve('ticket', proof, 'paid once'),
    approvals.approve('ticket', forged, 'paid once'),
  ])
  expect(answers.slice(0, 2)).toEqual([
    { status: 'fulfilled', value: 'paid once' },
    { status: 'fulfilled', value: 'paid once' },
  ])
  expect(made).toHaveLength(1)
  expect(approvals.isWaiting()).toBe(false)
  given.payments = null
  await approvals.close()
})
