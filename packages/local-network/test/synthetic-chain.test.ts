import {
  decodeWith,
  localKeyBlockHash,
  macroblockByHeightEndpoint,
  merkleRoot,
  microblockEndpoint,
  microblockHash,
  parseJson,
  type Schema,
  transactionHash,
} from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { serveSyntheticChain } from '../src/control/serve-synthetic-chain.ts'
import { ask } from './plain-http.ts'

async function read<T>(schema: Schema<T>, url: string): Promise<T> {
  const decoded = decodeWith(schema, parseJson((await ask(url)).text))
  if (!decoded.ok) throw new Error(decoded.problem.reason)
  return decoded.value
}

test('a chain of a million macroblocks is there at once, linked and committed to from block to block', async () => {
  await using server = await serveSyntheticChain({ blocks: 1_000_000, transactions: 2 })
  expect((await ask(`${server.apiUrl}/height`)).text).toBe('{"height":1000000}')
  let before = await read(macroblockByHeightEndpoint.answer, `${server.apiUrl}/macroblock_by_height?height=0`)
  for (let height = 1; height <= 20; height++) {
    const url = `${server.apiUrl}/macroblock_by_height?height=${height}`
    const macroblock = await read(macroblockByHeightEndpoint.answer, url)
    const { keyBlock } = macroblock
    if (keyBlock === undefined) throw new Error('no key block')
    expect(keyBlock).toMatchObject({ height, link: before.keyBlock?.hash, hash: localKeyBlockHash(keyBlock) })
    const microblockHashes = before.microblocks.map(({ hash }) => hash)
    expect(keyBlock.merkleRoot).toBe(merkleRoot({ microblockHashes, statBlockHashes: [] }))
    for (const { hash } of macroblock.microblocks) {
      const { header, transactions } = await read(
        microblockEndpoint.answer,
        `${server.apiUrl}/mblock?hash=${hash}`,
      )
      if (header === undefined) throw new Error('no header')
      expect(microblockHash({ ...header, transactions })).toBe(hash)
      expect(transactions.map((one) => transactionHash(one))).toEqual(transactions.map((one) => one.hash))
    }
    before = macroblock
  }
})

test('the open key block has no microblocks, and above it there is nothing', async () => {
  await using server = await serveSyntheticChain({ blocks: 30, transactions: 1 })
  expect(server.chain.macroblockAt(30)?.microblocks).toEqual([])
  expect((await ask(`${server.apiUrl}/macroblock_by_height?height=30`)).text).toContain('"reward":null')
  expect((await ask(`${server.apiUrl}/macroblock_by_height?height=31`)).status).toBe(404)
  expect((await ask(`${server.apiUrl}/mblock?hash=${'0'.repeat(64)}`)).text).toBe('{"transactions":[]}')
})
