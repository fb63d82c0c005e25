import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinChunks } from './join-chunks.ts'

it('joins what came, in order, and changes none of it', () =>
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 60 }), (parts) => {
      const chunks = parts.map((part) => Buffer.from(part))
      const joiner = joinChunks(1_000_000)
      for (const chunk of chunks) joiner.add(chunk)
      expect(joiner.bytes().equals(Buffer.concat(parts))).toBe(true)
      expect(chunks.map((chunk) => [...chunk])).toEqual(parts.map((part) => [...part]))
    }),
  ))

it('A-18: keeps one buffer of at most twice the bytes, in however many chunks they come', () => {
  const joiner = joinChunks(1_000_000)
  for (let count = 0; count < 50_000; count++) joiner.add(Buffer.from([count % 256]))
  expect(joiner.bytes().length).toBe(50_000)
  expect(joiner.bytes().buffer.byteLength).toBeLessThanOrEqual(2 * 50_000)
})

it('A-18: never takes more room than the limit', () => {
  const joiner = joinChunks(60_000)
  for (let count = 0; count < 60; count++) joiner.add(Buffer.alloc(1000, count))
  expect(joiner.bytes().length).toBe(60_000)
  expect(joiner.bytes().buffer.byteLength).toBe(60_000)
})
