import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { AnsweredRing } from './answered-ring.ts'

const hashes = Array.from({ length: 600 }, (_, at) => sha256Hex(`microblock ${at}`))

it('knows what was added and nothing else', () => {
  const ring = new AnsweredRing()
  for (const hash of hashes.slice(0, 200)) ring.add(hash)
  expect(hashes.slice(0, 200).every((hash) => ring.has(hash))).toBe(true)
  expect(hashes.slice(200).some((hash) => ring.has(hash))).toBe(false)
})

it('forgets the oldest beyond 256 and knows the newest 256', () => {
  const ring = new AnsweredRing()
  for (const hash of hashes) ring.add(hash)
  expect(hashes.slice(-256).every((hash) => ring.has(hash))).toBe(true)
  expect(hashes.slice(0, -256).some((hash) => ring.has(hash))).toBe(false)
})
