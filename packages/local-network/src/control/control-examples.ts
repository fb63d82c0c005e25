import { encodeContractOrder, tokenOrder } from '@hailstone/protocol'
import type { OperationExample } from '../http/reference/chain-examples.ts'

/** A token that people can mine. */
const creation = encodeContractOrder(
  tokenOrder({
    symbol: 'RIME',
    supply: 1000n * 10n ** 10n,
    mining: {
      maxSupply: 50_000n * 10n ** 10n,
      blockReward: 10n ** 10n,
      minimumStake: 10n * 10n ** 10n,
      referrerStake: 10n * 10n ** 10n,
      referralShareBps: 1000,
    },
  }),
)

const bodies = {
  mine: { count: 1 },
  'set-clock': { advance_ms: 1000 },
  pause: {},
  resume: {},
  order: { data: creation },
  reorganise: { blocks: 1, keep_transactions: true },
  snapshot: {},
  'forget-pool': {},
  outage: { of: 'gateway', duration_ms: 1000 },
  faults: { rules: [] },
}

/**
 * Initial values of the control forms.
 *
 * @param snapshot the newest one, or undefined
 * @param address an account to pay
 */
export const controlExamples = (
  snapshot: string | undefined,
  address: string,
): Readonly<Record<string, OperationExample>> => ({
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      `POST /${name}`,
      { values: {}, body: JSON.stringify(body), missing: [] },
    ]),
  ),
  'POST /fund': { values: {}, body: JSON.stringify({ address, amount: '10000000000' }), missing: [] },
  'POST /revert': {
    values: {},
    body: JSON.stringify({ id: snapshot ?? '' }),
    missing:
      snapshot === undefined ? ['There is no snapshot yet: take one with POST /control/v1/snapshot.'] : [],
  },
})
