import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  merkleRoot,
  microblockHashOf,
  sha256Hex,
  transactionHashOfTexts,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { liveObjects } from '../../../../scripts/live-objects.ts'
import { createClient } from '../node.ts'

const publisher = `02${'11'.repeat(32)}`
const keyBlockHash = (height: number): string => sha256Hex(`key block ${height}`)
const statBlockHash = (height: number): string => sha256Hex(`statblock ${height}`)

/** A transfer of a block, made up out of its height. */
function transactionAt(height: number, place: number) {
  const texts = {
    amount: String(10 ** 9 + height),
    data: `block ${height} place ${place}`,
    from: publisher,
    nonce: String(height * 10 + place),
    signature: sha256Hex(`signature ${height} ${place}`).repeat(2),
    tokenId: ZERO_TOKEN_ID,
    to: `03${sha256Hex(`receiver ${height}`)}`,
  }
  return { texts, hash: transactionHashOfTexts(texts) }
}

function microblockAt(height: number) {
  const transactions = [0, 1, 2].map((place) => transactionAt(height, place))
  const transactionHashes = transactions.map(({ hash }) => hash)
  const hash = microblockHashOf({
    keyBlockHash: keyBlockHash(height),
    nonce: 1,
    publisher,
    transactionHashes,
  })
  return { hash, transactions }
}

const rootOver = (height: number): string =>
  merkleRoot({ microblockHashes: [microblockAt(height).hash], statBlockHashes: [statBlockHash(height)] })

const macroblockAt = (height: number) => ({
  kblock: {
    ...{ hash: keyBlockHash(height), n: height, time: 1_700_000_000 + height, publisher, nonce: 0 },
    ...{ link: keyBlockHash(height - 1), sprout: 'SYNTHETIC', m_root: rootOver(height - 1) },
    ...{ leader_sign: null, reward: 1, target_diff: 1 },
  },
  mblocks: [{ hash: microblockAt(height).hash, tx_cnt: 3 }],
  sblocks: [{ hash: statBlockHash(height) }],
})

function microblockAnswer(height: number) {
  const { hash, transactions } = microblockAt(height)
  return {
    transactions: transactions.map(({ texts, hash: name }) => ({
      ...{ hash: name, from: texts.from, to: texts.to, amount: Number(texts.amount), mblocks_hash: hash },
      ...{
        nonce: Number(texts.nonce),
        status: 3,
        sign: texts.signature,
        ticker: texts.tokenId,
        data: texts.data,
      },
    })),
    header: {
      ...{ kblocks_hash: keyBlockHash(height), publisher, referrer: null, mblocks_hash: hash },
      ...{ reward: 1, nonce: 1, token: ZERO_TOKEN_ID },
    },
  }
}

const BLOCKS = Number(process.env.HAILSTONE_BLOCKS ?? 3_000)
const EVERY = BLOCKS / 30

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

it('F6, P-11: takes no more memory the longer it walks', async () => {
  /** Heights of microblocks that were listed and not fetched yet. */
  const heights = new Map<string, number>()
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://localhost')
    const height = Number(asked.searchParams.get('height'))
    const hash = asked.searchParams.get('hash') ?? ''
    const isMacroblock = asked.pathname.endsWith('/macroblock_by_height')
    if (isMacroblock && height <= BLOCKS) heights.set(microblockAt(height).hash, height)
    const answer = isMacroblock ? macroblockAt(height) : microblockAnswer(heights.get(hash) ?? 0)
    heights.delete(hash)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  await using client = createClient({ apiUrl })
  const samples: number[] = []
  let walked = 0
  for await (const { isComplete, microblocks } of client.walkChain({ fromHeight: 1, toHeight: BLOCKS })) {
    if (isComplete && microblocks.length === 1) walked++
    if (walked % EVERY !== 0 || walked <= BLOCKS / 3) continue
    samples.push(liveObjects())
  }
  expect(walked).toBe(BLOCKS)
  server.close()
  const third = Math.floor(samples.length / 3)
  const growth = median(samples.slice(-third)) - median(samples.slice(1, 1 + third))
  // Keeping one object of each block would add close to half of the blocks.
  expect(growth).toBeLessThan(BLOCKS / 30)
})
