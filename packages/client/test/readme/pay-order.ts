import {
  createClient,
  createPayments,
  formatAmount,
  openFileJournal,
  parseAddress,
  parseAmount,
  type Wallet,
} from '@hailstone/client'

type Shop = { readonly apiUrl: string; readonly wallet: Wallet; readonly journalPath: string }
type Order = { readonly number: string; readonly receiver: string; readonly coins: string }

export async function payOrder({ apiUrl, wallet, journalPath }: Shop, order: Order): Promise<string> {
  await using client = createClient({ apiUrl })
  const journal = await openFileJournal({ path: journalPath })
  await using payments = await createPayments({ client, wallet, journal })
  // What an earlier run of this program left unsettled is taken up first.
  await payments.resume()
  const payment = await payments.pay({
    to: parseAddress(order.receiver),
    amount: parseAmount(order.coins, { decimals: 10 }),
    // After a crash the order is simply paid again: under the same key it is the same payment.
    idempotencyKey: order.number,
    // What a person agrees to is read out of the very bytes that are signed.
    consent: ({ net, fee, symbol, decimals }) => {
      const [arrives, costs] = [net, fee].map((units) => formatAmount(units, { decimals }))
      console.log(`${arrives} ${symbol} arrive, ${costs} ${symbol} are the fee`)
      return true
    },
  })
  const { state } = await payment.settled()
  return `order ${order.number} is ${state.status}`
}
