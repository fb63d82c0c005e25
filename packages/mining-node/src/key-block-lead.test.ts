import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { behindOf, NO_LEAD, withGrowth, withNamed, withShown } from './key-block-lead.ts'

const BLOCK_MS = 15_000
const keyBlock = (number: number) => sha256Hex(`key block ${number}`)

/** A gateway names a key block each block time; the API grows as often and shows each so many blocks later. */
function judged(blocks: number, lag: number, isShown = true) {
  let lead = NO_LEAD
  const words = new Set<string | null>()
  for (let block = 0; block < blocks; block++) {
    const atMs = block * BLOCK_MS
    lead = withNamed(lead, { keyBlockHash: keyBlock(block), atMs, isShown: false })
    lead = withGrowth(lead)
    if (isShown) lead = withShown(lead, keyBlock(block - lag))
    words.add(behindOf(lead, { blockTimeMs: BLOCK_MS, source: 'http://127.0.0.1:1/api' }))
  }
  return [...words]
}

const BEHIND = 'The API at 127.0.0.1:1 is behind: beacons name key blocks long before it shows them.'

it.each([1, 2, 4])('an API that shows each key block %d blocks after it was named is not behind', (lag) => {
  expect(judged(200, lag)).toEqual([null])
})

it.each([6, 8, 120])('an API that lags evenly by %d blocks is behind, though its height grows', (lag) => {
  expect(judged(200, lag)).toEqual([null, BEHIND])
})

it('an API that shows none of the key blocks is behind after two and a half minutes', () => {
  expect(judged(10, 0, false)).toEqual([null])
  expect(judged(12, 0, false)).toEqual([null, BEHIND])
})

it('an API that was away and catches up is behind no more', () => {
  let lead = NO_LEAD
  for (let block = 0; block < 40; block++)
    lead = withNamed(lead, { keyBlockHash: keyBlock(block), atMs: block * BLOCK_MS, isShown: false })
  const at = { blockTimeMs: BLOCK_MS, source: 'http://127.0.0.1:1' }
  expect(behindOf(withGrowth(lead), at)).toBe(BEHIND)
  for (let block = 0; block < 39; block++) lead = withShown(lead, keyBlock(block))
  expect(behindOf(withGrowth(lead), at)).toBe(null)
})

it('key blocks that were named before a fork or a long pause are not awaited for ever', () => {
  let lead = withShown(
    withNamed(NO_LEAD, { keyBlockHash: keyBlock(0), atMs: 0, isShown: false }),
    keyBlock(0),
  )
  for (let block = 1; block <= 6; block++)
    lead = withNamed(lead, { keyBlockHash: keyBlock(block), atMs: block * BLOCK_MS, isShown: false })
  const at = { blockTimeMs: BLOCK_MS, source: 'http://127.0.0.1:1' }
  const words: (string | null)[] = []
  // No beacon comes any more, and the API shows other ones.
  for (let block = 200; block < 300; block++) {
    lead = withShown(withGrowth(lead), keyBlock(block))
    words.push(behindOf(lead, at))
  }
  expect([words[0], words.at(-1)]).toEqual([BEHIND, null])
})

it('two gateways that name the last key block and the open one in turn are not ahead of the API', () => {
  let lead = withGrowth(NO_LEAD)
  const at = { blockTimeMs: BLOCK_MS, source: 'http://127.0.0.1:1' }
  for (let atMs = 0; atMs < 3_000; atMs += 500) {
    lead = withNamed(lead, { keyBlockHash: keyBlock(1), atMs, isShown: false })
    lead = withNamed(lead, { keyBlockHash: keyBlock(0), atMs, isShown: true })
  }
  // The next key block comes late, and the gateway names it before the API was asked.
  lead = withNamed(lead, { keyBlockHash: keyBlock(2), atMs: 45_000, isShown: false })
  lead = withNamed(lead, { keyBlockHash: keyBlock(1), atMs: 45_100, isShown: false })
  expect(behindOf(lead, at)).toBe(null)
})
