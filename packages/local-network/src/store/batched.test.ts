import { openDatabase } from '@hailstone/database'
import { hostError } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { anyText, batched, rowsByPlace, textArray } from './batched.ts'

test('questions of one turn are asked together, and those that come meanwhile with the next ones', async () => {
  const asked: (readonly number[])[] = []
  let answerFirst: () => void = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answerFirst = resolve
  })
  const double = batched(async (numbers: readonly number[]) => {
    asked.push(numbers)
    if (asked.length === 1) await isAnswered
    return numbers.map((number) => 2 * number)
  })
  const first = [1, 2].map(double)
  await expect.poll(() => asked).toEqual([[1, 2]])
  const second = [3, 4, 5].map(double)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(asked).toEqual([[1, 2]])
  answerFirst()
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10])
  expect(asked).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  expect(await double(6)).toBe(12)
})

test('a question that cannot be answered is not the fault of the others', async () => {
  const half = batched(async (numbers: readonly number[]) => {
    if (numbers.some((number) => number % 2 === 1)) throw new Error('odd')
    return numbers.map((number) => number / 2)
  })
  expect(await Promise.allSettled([2, 3, 4].map(half))).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('odd') },
    { status: 'fulfilled', value: 2 },
  ])
})

test('a database that stays away is not asked for each question alone', async () => {
  let asked = 0
  const read = batched<number, number>(async () => {
    asked++
    throw hostError('STORE_UNREACHABLE', { reason: 'gone' })
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(read))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(asked).toBe(1)
})

test('texts keep their quotes, and rows find their questions', () => {
  expect(textArray(['a', 'b"c\\d', 'e,f', ''])).toBe('{"a","b\\"c\\\\d","e,f",""}')
  const rows = [{ place: 3 }, { place: 1 }, { place: 3 }]
  expect(rowsByPlace(rows, 3)).toEqual([[{ place: 1 }], [], [{ place: 3 }, { place: 3 }]])
})

test('more texts than a statement takes parameters are matched by one', async () => {
  const { queries, close } = await openDatabase<{ word: { text: string } }>({
    migrations: [{ version: 1, statements: 'create table word (text text)' }],
  })
  try {
    await queries
      .insertInto('word')
      .values([{ text: 'at 7' }, { text: 'at 69999' }, { text: 'elsewhere' }])
      .execute()
    const many = Array.from({ length: 70_000 }, (_, at) => `at ${at}`)
    const found = await queries.selectFrom('word').select('text').where('text', '=', anyText(many)).execute()
    expect(found).toEqual([{ text: 'at 7' }, { text: 'at 69999' }])
    const listed = queries.selectFrom('word').select('text').where('text', 'in', many).execute()
    await expect(listed).rejects.toThrow()
  } finally {
    await close()
  }
})
