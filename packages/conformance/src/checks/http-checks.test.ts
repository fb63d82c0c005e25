import { readFile } from 'node:fs/promises'
import { decodeWith, isSignedByOwner, lastBlocksEndpoint, parseJson } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { asList, asObject, asText } from '../case.ts'
import type { Check, GivenFile } from '../check.ts'
import { check as amounts } from './amounts.ts'
import { check as pagination } from './pagination.ts'
import { check as posted } from './post-tx.ts'
import { check as recordedHttp } from './recorded-http.ts'

const folder = new URL('../../', import.meta.url)

const read = async (path: string): Promise<GivenFile> => ({
  path,
  file: parseJson(await readFile(new URL(path, folder), 'utf8')),
})

const given: readonly (readonly [path: string, check: Check])[] = [
  ['vectors/post_tx.json', posted],
  ['vectors/amounts.json', amounts],
  ['vectors/pagination.json', pagination],
  ['recorded/http-1.json', recordedHttp],
  ['recorded/http-2.json', recordedHttp],
  ['recorded/http-1-newest.json', recordedHttp],
]

// The conformance command, which every run of the tests ends with, runs their cases.
it.each(given)('%s is recognised by one check', async (path, check) => {
  const { file } = await read(path)
  expect([amounts, pagination, posted, recordedHttp].filter(({ recognises }) => recognises(file))).toEqual([
    check,
  ])
})

it('a key block of the newest node is signed by the owner it names, and by nobody else', async () => {
  const { file } = await read('recorded/http-1-newest.json')
  const bodies = asList(asObject(file).exchanges).map(asObject)
  const answer = bodies.find(({ path }) => path === '/lastblocks')?.body
  const answered = decodeWith(lastBlocksEndpoint.answer, parseJson(asText(answer)))
  if (!answered.ok) throw new Error(answered.problem.reason)
  const { blocks } = answered.value
  const signed = blocks.filter(({ leader }) => leader !== null)
  expect(signed).toHaveLength(blocks.length - 1)
  for (const block of signed) {
    expect(isSignedByOwner(block)).toBe(true)
    expect(isSignedByOwner({ ...block, leader: block.publisher })).toBe(false)
    expect(isSignedByOwner({ ...block, merkleRoot: block.hash })).toBe(false)
  }
})
