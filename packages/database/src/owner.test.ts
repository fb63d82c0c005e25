import { hostError } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { namesText } from './owner.ts'

test('an error repeats the names of what is not ours, however many words they have', () => {
  const names = ['orders', 'order_items', 'customers', 'invoices', 'payments', 'refunds']
  const { facts, message } = hostError('STORE_INVALID', {
    reason: namesText(names.map((name) => `table public.${name}`)),
  })
  expect(facts.reason).toBe(
    '(a) table public.orders, (b) table public.order_items, (c) table public.customers, (d) table public.invoices, (e) table public.payments and 1 more',
  )
  expect(message).toContain('public.customers')
})
