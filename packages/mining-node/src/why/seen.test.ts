import { walletFromPrivateKey } from '@hailstone/client'
import { apiError, sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { isUnseen, readSeen, SEEN_UNKNOWN, type Seen, seenSentence, withList } from './seen.ts'

const { address } = walletFromPrivateKey(sha256Hex('seen'))
const other = walletFromPrivateKey(sha256Hex('another')).address
const listOf = (...addresses: readonly string[]) =>
  addresses.map((one) => ({ address: one, countryName: null, countryCode: null }))

/** Lists that leave the miner out, at these minutes, of these nodes. */
const leftOut = (minutes: readonly number[], sources = ['a']): Seen =>
  minutes.reduce<Seen>(
    (seen, minute) => withList(seen, { list: listOf(other), address, sources, atMs: minute * 60_000 }),
    SEEN_UNKNOWN,
  )

describe('whether the network sees a miner', () => {
  it('is so as soon as one answer lists it, however its key is written', () => {
    const list = listOf(other, address.toUpperCase())
    const seen = withList(leftOut([0, 2, 4]), { list, address, sources: ['a'], atMs: 0 })
    expect(seen).toStrictEqual({ status: 'seen', online: 2 })
    const upper = { address: address.toUpperCase() as typeof address, sources: ['a'], atMs: 0 }
    expect(withList(SEEN_UNKNOWN, { list: listOf(other, address), ...upper })).toStrictEqual(seen)
    expect(seenSentence(seen)).toBe('The network sees this miner: it is one of 2 miners online.')
  })

  it('is denied by repeated answers over minutes, and never by one', () => {
    expect(isUnseen(leftOut([0]))).toBe(false)
    expect(isUnseen(leftOut([0, 0, 0, 0]))).toBe(false)
    expect(isUnseen(leftOut([0, 1, 2, 4]))).toBe(false)
    expect(isUnseen(leftOut([0, 2, 4, 6]))).toBe(true)
    expect(isUnseen(leftOut([0, 6], ['a', 'b']))).toBe(false)
    expect(isUnseen(leftOut([0, 2, 4, 6], ['a', 'b']))).toBe(true)
    expect(seenSentence(leftOut([0]))).toContain('does not list this miner among the 1 miner that')
  })

  it('stays unknown with its reason', async () => {
    const empty = withList(leftOut([0, 2]), { list: [], address, sources: ['a'], atMs: 240_000 })
    expect(empty).toStrictEqual({ status: 'unknown', reason: 'emptyList' })
    expect(isUnseen(empty)).toBe(false)
    const failing = async () => {
      throw apiError('HTTP_STATUS', { path: '/poa_nodes_online', status: 404, message: null })
    }
    expect(await readSeen({ getMinersOnline: failing }, { address })).toStrictEqual({
      status: 'unknown',
      reason: 'failed',
    })
    expect(seenSentence(empty)).toContain('not known: the API lists no miner at all')
  })
})
