// A program that pays orders and is killed: one JSON line in, JSON lines out, written at once.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createClient, createPayments, openFileJournal, walletFromPrivateKey } from '../../dist/node.js'

const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`)

async function main() {
  const input = createInterface({ input: process.stdin })
  const text = await new Promise((resolve) => {
    input.once('line', resolve)
    say({ event: 'ready' })
  })
  input.close()
  const { apiUrl, privateKey, to, path, orders, kill, timeoutMs = 1_500 } = JSON.parse(text)

  let hits = 0
  const failpoint = (name) => {
    if (name !== kill?.place || ++hits < kill.nth) return
    say({ event: 'killed', place: name })
    process.kill(process.pid, 'SIGKILL')
  }

  const client = createClient({ apiUrl, retry: { maxAttempts: 1 }, timeoutMs })
  const journal = await openFileJournal({ path, failpoint })
  const payments = await createPayments({
    ...{ client, journal, failpoint, wallet: walletFromPrivateKey(privateKey) },
    ...{ pollMs: 60, confirmations: 3, minOverwritten: 4, keepSettled: 12, feeCap: { units: 10n ** 10n } },
  })
  payments.subscribe((event) => {
    const { memo, state } = event.payment ?? {}
    say({ event: event.type, memo, status: state?.status, isFinal: state?.isFinal ?? false })
    if (event.type === 'changed' && !state.isFinal) failpoint(`became ${state.status}`)
  })
  if (payments.damagedRecords > 0) say({ event: 'damaged', records: payments.damagedRecords })
  await payments.resume()

  // As a shop does after a restart: every order that is not known to be paid is paid again, under its own key.
  async function payOrder(memo) {
    for (;;) {
      try {
        const payment = await payments.pay({ to, amount: 10n ** 9n * 2n, memo, idempotencyKey: memo })
        say({ event: 'taken', memo, hash: payment.hash })
        const { state } = await payment.settled()
        say({ event: 'settled', memo, status: state.status })
        return
      } catch (error) {
        say({ event: 'not taken', memo, code: error.code ?? String(error) })
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  await Promise.all(orders.map(payOrder))
  await payments.close()
  await client.close()
  say({ event: 'done' })
  process.exit()
}

void main()
