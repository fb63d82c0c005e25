import { type Address, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it, vi } from 'vitest'
import { followFleetBalances } from '../src/fleet/fleet-balances.ts'
import { scriptedApi } from './scripted-api.ts'
import { until } from './until.ts'

const address = `02${'ab'.repeat(32)}` as Address
const nothing = { decimals: 10, delegated: 0, reward: 0, transit: 0, undelegated: 0 }

it('the first balance of an account is not none because one node of several is starting', async () => {
  const api = scriptedApi(address)
  let answers = 0
  const starting = { ...nothing, amount: 0 }
  const ready = { ...nothing, amount: 250, token: ZERO_TOKEN_ID, ticker: 'DEV' }
  api.said.set('/balance', starting)
  vi.spyOn(api.said, 'get').mockImplementation(() => (answers++ < 3 ? starting : ready))
  const read: bigint[] = []
  await using balances = followFleetBalances({
    client: api.client,
    pollIntervalMs: undefined,
    tokenId: ZERO_TOKEN_ID,
    accounts: () => [address],
    size: () => 1,
    onRead: (_, { amount }) => read.push(amount),
    onError: (error) => expect(error).toBeUndefined(),
  })
  balances.readNow(address)
  await until(() => read.length > 0, 'it was read')
  expect(read).toEqual([250n])
})
