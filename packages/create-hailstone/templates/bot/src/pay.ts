// `npm run pay -- ADDRESS COINS ORDER`: pays an order from the bot's account, once. After a crash, the same line goes on.
import { join } from 'node:path'
import {
  createClient,
  createPayments,
  formatAmount,
  openFileJournal,
  parseAddress,
  parseAmount,
} from '@hailstone/client'
import { settings } from './settings.ts'
import { openWallet } from './wallet.ts'

const [receiver, coins, order] = process.argv.slice(2)
if (receiver === undefined || coins === undefined || order === undefined) {
  console.error('Usage: npm run pay -- ADDRESS COINS ORDER')
  process.exit(2)
}

const client = createClient({ apiUrl: settings.apiUrl })
const token = (await client.getNativeToken()) ?? { symbol: 'coins', decimals: 10 }
const wallet = await openWallet()
const journal = await openFileJournal({ path: join(settings.dataFolder, 'payments.journal') })
const payments = await createPayments({ client, wallet, journal })
try {
  // A payment that an earlier run began is brought to its end first.
  await payments.resume()
  const payment = await payments.pay({
    to: parseAddress(receiver),
    amount: parseAmount(coins, token),
    idempotencyKey: order,
    consent: ({ net, fee, symbol, decimals }) => {
      const [arrives, costs] = [net, fee].map((units) => formatAmount(units, { decimals }))
      console.log(`order ${order}: ${arrives} ${symbol} arrive, ${costs} ${symbol} are the fee`)
      return true
    },
  })
  const { state } = await payment.settled()
  console.log(`order ${order} is ${state.status}`)
} finally {
  await payments.close()
  await client.close()
}
