import { expect, it } from 'vitest'
import { createMemoryCursors } from './cursor-store.ts'
import { keptValue } from './kept-value.ts'

const value = { at: null, seen: [{ index: 3, amount: 2n ** 64n - 1n, role: 'miner' }] }

async function writtenText(): Promise<string> {
  const store = createMemoryCursors()
  await keptValue({ store, name: 'one' }).write(value)
  return String(await store.read('one'))
}

const readOf = async (text: string): Promise<unknown> => {
  const store = createMemoryCursors()
  await store.write('one', text)
  return keptValue({ store, name: 'one' }).read()
}

it('gives back what it wrote, amounts exactly', async () => {
  expect(await readOf(await writtenText())).toEqual(value)
})

it('T3: takes no text for its own of which any character is missing or another, and names it', async () => {
  const text = await writtenText()
  const damaged = {
    code: 'CURSOR_STORE_FAILED',
    facts: { name: 'one', reason: expect.stringContaining('cut') },
  }
  for (let at = 0; at < text.length; at++) {
    await expect(readOf(text.slice(0, at))).rejects.toMatchObject(damaged)
    const other = text[at] === '0' ? '1' : '0'
    await expect(readOf(text.slice(0, at) + other + text.slice(at + 1))).rejects.toMatchObject(damaged)
  }
})

it('knows whether somebody else wrote since', async () => {
  const store = createMemoryCursors()
  const kept = keptValue<number>({ store, name: 'one' })
  expect(await kept.read()).toBeNull()
  expect(await kept.isOurs()).toBe(true)
  await kept.write(1)
  expect(await kept.isOurs()).toBe(true)
  await keptValue<number>({ store, name: 'one' }).write(2)
  expect(await kept.isOurs()).toBe(false)
})

it('without a store remembers nothing', async () => {
  const kept = keptValue<number>(undefined)
  await kept.write(1)
  expect(await kept.read()).toBeNull()
})
