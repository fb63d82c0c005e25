import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createClient } from '@hailstone/client'
import { createApi, createMempool, openChainStore } from '@hailstone/local-network'
import { parseJson } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { readChainOrigin, replayInto } from '../../conformance/src/chain-recording.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'

const recorded = new URL('../../conformance/recorded/', import.meta.url)

it.each([1, 2, 3, 4])(
  'the recorded ledger %i: every reward is explained, every balance is its own',
  async (number) => {
    const file = parseJson(await readFile(new URL(`ledger-${number}.json`, recorded), 'utf8'))
    await using store = await openChainStore()
    await store.initialise(readChainOrigin(file))
    await replayInto(store, file)
    const api = await createApi({
      ...{ store, mempool: createMempool({ now: Date.now }), minersOnline: () => [] },
      ...{ faucet: async () => 'empty', clock: { now: Date.now }, blockTimeMs: 15_000 },
    })
    await api.listen({ host: '127.0.0.1', port: 0 })
    const { port } = api.server.address() as AddressInfo
    await using client = createClient({ apiUrl: `http://127.0.0.1:${port}/api/v1` })
    const native = await client.getNativeTokenId()
    const tokenIds = (await client.getTokenNames()).map(({ id }) => id).filter((id) => id !== native)
    await using index = await openIndex()
    await using writer = await openWriter({ index, client, tokenIds })
    expect(await writer.step()).toMatchObject({ status: 'current' })
    expect(await index.queries.selectFrom('unexplained').selectAll().execute()).toEqual([])
    const { balances } = { balances: [...(await store.loadLedger()).balances()] }
    const own = balances
      .filter(({ tokenId }) => tokenId !== native)
      .map(({ account, tokenId, amount }) => `${tokenId} ${account} ${amount}`)
    const rows = await index.queries
      .selectFrom('holding')
      .innerJoin('token', 'token.id', 'holding.token')
      .innerJoin('account', 'account.id', 'holding.account')
      .select(['token_id', 'address', 'amount'])
      .execute()
    expect(rows.map((row) => `${row.token_id} ${row.address} ${row.amount}`).sort()).toEqual(own.sort())
    await api.close()
  },
)
