import { createClient, type Transport } from '@hailstone/client'
import { sha256Hex, type TokenId } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { describeEngines } from '../../local-network/test/engines.ts'
import { digest } from '../src/digest.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { holderOf, tellStatus } from '../src/store/cursor.ts'
import { makePartitions } from '../src/store/partitions.ts'
import { addRows } from '../src/store/write-rows.ts'
import { addressNamed } from './population.ts'
import { openTestChain } from './test-chain.ts'

/** Texts that anybody can send, and what the tables hold of them. */
const texts = {
  'a\0b\0': 'a\uFFFDb\uFFFD',
  '\uD800': '\uFFFD',
  'a\uDC00\uD800b': 'a\uFFFD\uFFFDb',
  '\uD83D\uDD11 ключ\u0001\uFFFF': '\uD83D\uDD11 ключ\u0001\uFFFF',
}

const tokenId = sha256Hex('token') as string as TokenId

/** Digests a macroblock with a transaction for each text. */
function digested() {
  const [from, to] = [addressNamed('from'), addressNamed('to')]
  const transactions = Object.keys(texts).map((data) => ({
    ...{ hash: sha256Hex(JSON.stringify(data)), from, to, amount: 5n, data, tokenId, status: 'confirmed' },
  }))
  const header = { tokenId, hash: sha256Hex('microblock'), publisher: from, referralAgent: null }
  const keyBlock = { height: 1, hash: sha256Hex('block'), time: 0 }
  const rules = { id: 1, tokenId, owner: to, feeType: 0, feeValue: 0n, feeMinimum: 0n, mining: null } as const
  return digest(
    { keyBlock, microblocks: [{ header, transactions }], isComplete: true } as never,
    { records: new Map(), nextHash: sha256Hex('next') },
    new Map([[tokenId, rules]]),
  )
}

describeEngines('texts that PostgreSQL cannot hold', (engine) => {
  it('of transactions have U+FFFD for U+0000 and for halves of a surrogate pair', async () => {
    await using index = await openIndex(await engine.newPlace())
    await makePartitions(index.queries, { from: 0, to: 0 })
    const rows = digested().changes.flatMap((change, ordinal) =>
      change.kind === 'transfer'
        ? [{ ...change, height: 1, ordinal, sender: 1, receiver: 2, hash: change.hash as string }]
        : [],
    )
    expect(rows.map(({ data }) => data)).toEqual(Object.values(texts))
    await addRows(index.queries, 'transfer', rows)
    const read = await index.queries.selectFrom('transfer').select('data').orderBy('ordinal').execute()
    expect(read.map(({ data }) => data)).toEqual(Object.values(texts))
  })

  it('of tokens and of notes too, and the index goes on', async () => {
    await using chain = await openTestChain('texts')
    await chain.close([], 15)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const transport: Transport = {
      async request(request) {
        const answer = await client.transport.request(request)
        const text = answer.text.replace(/"caption":(?:null|"[^"]*")/g, '"caption":"a\\u0000b\\ud800"')
        return { ...answer, text }
      },
    }
    await using changed = createClient({ apiUrl: chain.apiUrl, transport })
    await using index = await openIndex(await engine.newPlace())
    const { queries } = index
    await using writer = await openWriter({ index, client: changed, tokenIds: [chain.token.id] })
    expect(await writer.step()).toMatchObject({ status: 'current', height: 0 })
    expect(await queries.selectFrom('token').select('caption').execute()).toEqual([
      { caption: 'a\uFFFDb\uFFFD' },
    ])
    await tellStatus(queries, (await holderOf(queries)) ?? '', { status: 'behind', note: 'a\0b\uD800' })
    expect(await queries.selectFrom('cursor').select('note').execute()).toEqual([{ note: 'a\uFFFDb\uFFFD' }])
  })
})
