import { expect, it } from 'vitest'
import { reportedWork } from './reported-work.ts'

const asked = { address: `02${'1'.repeat(64)}`, tokenId: 'ab'.repeat(32), nowMs: 10_000 }
const publications = { published: 5, refused: 2, late: 1, missed: 1, included: 3 }
const report = {
  ...{ address: asked.address, tokenId: asked.tokenId, publications },
  connected: { beforeMs: 1_000, sinceMs: 4_000 },
}
const workIn = (changed: object) => reportedWork(JSON.stringify({ ...report, ...changed }), asked)

it('reads what a miner counts', () => {
  const work = { offered: 7, signed: 5, tooLate: 1, leftOut: 1, inBlocks: 3 }
  expect(workIn({})).toStrictEqual({ work, onlineMs: 7_000 })
  const { late: _, ...without } = publications
  expect(workIn({ publications: without, connected: { beforeMs: 1_000, sinceMs: null } })).toStrictEqual({
    ...{ work: { ...work, tooLate: 0 }, onlineMs: 1_000 },
  })
})

it.each([
  ['is not this miner', { address: `03${'1'.repeat(64)}` }],
  ['is not this miner', { address: undefined }],
  ['mines another token', { tokenId: 'cd'.repeat(32) }],
  ['does not report it', { publications: undefined, connected: undefined }],
  ['does not report it', { publications: { ...publications, missed: 'few' }, connected: { beforeMs: null } }],
])('takes no figure of others, and none that is missing: %s, %j', (why, changed) => {
  const unknown = { why: expect.stringContaining(why) }
  expect(workIn(changed)).toStrictEqual({ work: unknown, onlineMs: unknown })
})

it.each(['<!doctype html>', 'null', '7', '[]', ''])('takes %j for no miner', (text) => {
  expect(reportedWork(text, asked).work).toStrictEqual({ why: expect.stringContaining('is not this miner') })
})
