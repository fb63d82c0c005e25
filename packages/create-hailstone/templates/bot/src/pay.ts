// `npm run pay -- ADDRESS COINS ORDER`: pays an order from the bot's account, once. After a crash, the same line goes on.
import { join } from 'node:path'
import {
  createClient,
  createPayments,
  formatAmount,
  isNodeError,
  openFileJournal,
  parseAddress,
  parseAmount,
} from '@hailstone/client'
import { settings } from './settings.ts'
import { openWallet } from './wallet.ts'

const [receiver, coins, order = ''] = process.argv.slice(2)
// An empty order, such as an unset variable of a script, would be one and the same for all.
if (receiver === undefined || coins === undefined || order.trim() === '') {
  console.error('Usage: npm run pay -- ADDRESS COINS ORDER')
  process.exit(2)
}

const client = createClient({ apiUrl: settings.apiUrl })
const token = await client.getNativeToken()
// Its decimals turn coins into what is signed, so none are assumed.
if (token === undefined) throw new Error('The API names no native token now. Nothing was paid; try again.')
const wallet = await openWallet()
const journal = await openFileJournal({ path: join(settings.dataFolder, 'payments.journal') })
const payments = await createPayments({ client, wallet, journal })
payments.subscribe((event) => {
  if (event.type !== 'changed') console.error(`payments: ${event.type}`)
})
try {
  // A payment that an earlier run began is brought to its end first.
  await payments.resume()
  const payment = await payments.pay({
    to: parseAddress(receiver),
    amount: parseAmount(coins, token),
    idempotencyKey: order,
    consent: ({ net, fee, symbol, decimals }) => {
      if (decimals !== token.decimals)
        throw new Error(`The coins were read with ${token.decimals} decimals; now there are ${decimals}.`)
      const [arrives, costs] = [net, fee].map((units) => formatAmount(units, { decimals }))
      console.log(`order ${order}: ${arrives} ${symbol} arrive, ${costs} ${symbol} are the fee`)
      return true
    },
  })
  const { state } = await payment.settled()
  const reason = 'message' in state ? state.message : 'reason' in state ? state.reason : ''
  console.log(`order ${order} is ${state.status} ${reason}`.trimEnd())
  // `duplicate` means that the same bytes were executed before: look before paying anew under another order.
  if (state.status !== 'confirmed' && state.status !== 'superseded') process.exitCode = 1
} catch (error) {
  if (!isNodeError(error)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
} finally {
  await payments.close()
  await client.close()
}
