import { createClient } from '../../dist/node.js'

const failures = ['rejected', 'refused', 'duplicate']

/** Compares every order with the ledger, from its first block to its last, and with what was shown. */
export async function judge(apiUrl, lanes) {
  const executed = await executedOrders(apiUrl)
  const verdict = { orders: 0, lost: 0, duplicated: 0, falselyFailed: 0, superseded: 0, wrong: [] }
  for (const { number, orders, said, reported } of lanes) {
    for (let order = 1; order <= orders; order++) {
      const memo = memoOf(number, order)
      const times = executed.get(memo) ?? 0
      const states = said.get(memo) ?? new Set()
      const isFalse = times > 0 && failures.some((state) => states.has(state))
      verdict.orders++
      if (times === 0) verdict.lost++
      if (times > 1) verdict.duplicated++
      if (isFalse) verdict.falselyFailed++
      if (states.has('superseded')) verdict.superseded++
      if (times !== 1 || isFalse) {
        verdict.wrong.push({ memo, times, states: [...states], reported: reported.get(memo) })
      }
    }
  }
  return verdict
}

export const memoOf = (lane, order) => `lane ${lane} order ${order}`

async function executedOrders(apiUrl) {
  const client = createClient({ apiUrl, timeoutMs: 240_000 })
  const executed = new Map()
  for await (const { microblocks } of client.walkChain({ fromHeight: 0 })) {
    for (const { transactions } of microblocks) {
      for (const { data, status } of transactions) {
        if (status === 'confirmed') executed.set(data, (executed.get(data) ?? 0) + 1)
      }
    }
  }
  await client.close()
  return executed
}
