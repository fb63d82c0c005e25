import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createSpool } from './spool.ts'

it('gives what is there before all is there, also beyond what is kept in memory', async () => {
  const spool = createSpool()
  const pieces = Array.from({ length: 40 }, () => randomBytes(100_000))
  const [first = Buffer.of(), ...others] = pieces
  await spool.append(first)
  const stream = spool.read()
  const [begin] = await once(stream, 'data')
  stream.pause()
  const rest = buffer(stream)
  for (const piece of others) await spool.append(piece)
  spool.end()
  expect(Buffer.concat([begin, await rest]).equals(Buffer.concat(pieces))).toBe(true)
  expect(spool.length()).toBe(4_000_000)
})

it('fails whoever reads what is not written to its end', async () => {
  const spool = createSpool()
  const read = buffer(spool.read())
  await spool.append(Buffer.of(1))
  await spool.drop(new Error('no more'))
  await expect(read).rejects.toThrow('no more')
})

it('goes on for nobody', async () => {
  const spool = createSpool()
  await spool.append(Buffer.alloc(3_000_000))
  const stream = spool.read()
  stream.destroy()
  await once(stream, 'close')
  await spool.append(Buffer.alloc(3_000_000))
  await spool.drop(new Error('gone'))
})
