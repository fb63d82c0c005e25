// A program that pays one order under one key and then stays: JSON by argument in, JSON lines out.
import { writeSync } from 'node:fs'
import { createClient, createPayments, openFileJournal, walletFromPrivateKey } from '../../dist/node.js'

const { apiUrl, privateKey, to, path, idempotencyKey } = JSON.parse(process.argv[2])
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`)

try {
  const client = createClient({ apiUrl })
  const journal = await openFileJournal({ path })
  const payments = await createPayments({
    ...{ client, journal, wallet: walletFromPrivateKey(privateKey), feeCap: { units: 10n ** 10n } },
    ...{ pollMs: 60, confirmations: 1 },
  })
  await payments.resume()
  const payment = await payments.pay({ to, amount: 2n * 10n ** 9n, idempotencyKey })
  say({ hash: payment.hash })
  const { state } = await payment.settled()
  say({ status: state.status })
  setInterval(() => undefined, 1_000)
} catch (error) {
  say({ code: error.code, facts: error.facts, message: error.message })
  process.exit(1)
}
