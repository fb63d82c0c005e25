import { type Amount, sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { compareSeen, countOf, noSightings } from './history-loss.ts'
import {
  NEWEST,
  noNeighbours,
  type Page,
  type ReadPage,
  readOn,
  type Standing,
  type Step,
} from './history-pages.ts'
import { BEGINNING, type RewardCursor, type RewardLine } from './reward-cursor.ts'

const lineAt = (index: number, name = 'a'): RewardLine => ({
  index,
  recordType: 'im',
  amount: 5n as Amount,
  recordHash: sha256Hex(`${name} ${index}`),
  timeMs: 1_000 * index,
})

/** Lines with every third number, newest first: the numbers do not tell whether one is missing. */
const linesUpTo = (count: number): readonly RewardLine[] =>
  Array.from({ length: count }, (_, at) => lineAt(3 * at)).reverse()

const pageOf = (lines: readonly RewardLine[], number: number): Page => {
  const shown = lines.slice(10 * number, 10 * number + 10)
  return { number, lines: shown, isLast: shown.length < 10 }
}

/** Answers with the histories in turn. */
function readerOf(
  ...histories: readonly (readonly RewardLine[])[]
): ReadPage & { readonly asked: () => number } {
  let asked = 0
  const read: ReadPage = async (number) => pageOf(histories[asked++ % histories.length] ?? [], number)
  return Object.assign(read, { asked: () => asked })
}

const cursorAt = (seen: readonly RewardLine[], floor = BEGINNING): RewardCursor => ({ at: null, floor, seen })
const numbersOf = (step: Step): readonly number[] | string =>
  'fault' in step ? step.fault : step.newer.map(({ index }) => index)

describe('reading on from a cursor', () => {
  it('takes what stands above it on the newest page, in one request', async () => {
    const read = readerOf(linesUpTo(25))
    expect(numbersOf(await readOn(read, cursorAt([lineAt(66)]), NEWEST))).toEqual([72, 69])
    expect(read.asked()).toBe(1)
  })

  it('finds the page of the cursor in a long history in a few requests', async () => {
    const read = readerOf(linesUpTo(100_000))
    const step = await readOn(read, cursorAt([lineAt(3 * 777)]), NEWEST)
    if ('fault' in step) throw new Error(step.fault)
    expect(step.newer.at(-1)?.index ?? 2334).toBe(2334)
    expect(read.asked()).toBeLessThan(20)
  })

  it('begins with the oldest lines where nothing was handed out', async () => {
    for (const count of [1, 9, 10, 11, 20, 35]) {
      const read = readerOf(linesUpTo(count))
      let standing = NEWEST
      const taken: number[] = []
      for (let cursor = cursorAt([]), left = 9; left > 0; left--) {
        const step = await readOn(read, cursor, standing)
        if ('fault' in step) throw new Error(step.fault)
        standing = step.standing
        for (const line of [...step.newer].reverse()) {
          taken.push(line.index)
          cursor = { ...cursor, seen: [...cursor.seen, line] }
        }
        if (standing.page === 0) break
      }
      expect(taken).toEqual(
        linesUpTo(count)
          .map(({ index }) => index)
          .reverse(),
      )
    }
  })

  it('does not join pages of two nodes of which one is behind', async () => {
    const [ahead, behind] = [linesUpTo(43), linesUpTo(40)]
    const [cursor, standing] = [cursorAt([lineAt(57)]), { page: 2, isFirst: true }]
    expect(pageOf(behind, 2).lines[0]?.index).toBe(57)
    // Three lines are on neither of the two pages.
    expect(pageOf(ahead, 1).lines.at(-1)?.index).toBe(69)
    const step = await readOn(readerOf(ahead, behind, behind), cursor, standing)
    if ('fault' in step) throw new Error(step.fault)
    expect(step.newer.at(-1)?.index ?? 60).toBe(60)
  })

  it('joins two pages although no reading ends, as each goes on where the one before failed', async () => {
    const lines = linesUpTo(40)
    const [cursor, standing] = [cursorAt([lineAt(57)]), { page: 2, isFirst: true }]
    const neighbours = noNeighbours()
    let answers = 0
    const read: ReadPage = async (number) => {
      if (++answers % 7 === 0) throw new Error('cut')
      return pageOf(lines, number)
    }
    const readOnce = () => readOn(read, cursor, standing, neighbours).catch(() => null)
    let step = await readOnce()
    for (let tries = 1; step === null && tries < 5; tries++) step = await readOnce()
    expect(step && numbersOf(step)).toEqual(pageOf(lines, 1).lines.map(({ index }) => index))
  })

  it('does not join two pages by answers from before one that was of a longer history', async () => {
    const lines = linesUpTo(40)
    const [cursor, standing] = [cursorAt([lineAt(57)]), { page: 2, isFirst: true }]
    const neighbours = noNeighbours()
    let answers = 0
    const cut: ReadPage = async (number) => {
      if (++answers === 12) throw new Error('cut')
      return pageOf(lines, number)
    }
    await expect(readOn(cut, cursor, standing, neighbours)).rejects.toThrow('cut')
    await readOn(readerOf(lines, linesUpTo(50)), cursor, standing, neighbours)
    const read = readerOf(lines)
    await readOn(read, cursor, standing, neighbours)
    // The page itself, and twelve answers about it and the one below.
    expect(read.asked()).toBe(13)
  })

  it('joins pages of two nodes by answers that overlap, whichever of them answers and though one in ten fails', async () => {
    const nodes = [linesUpTo(300), linesUpTo(311)]
    let [chance, asked] = [1, 0]
    const read: ReadPage = async (number) => {
      chance = (chance * 48_271) % 2_147_483_647
      asked++
      if (chance % 10 === 0) throw new Error('cut')
      return pageOf(nodes[chance & 64 ? 1 : 0] ?? [], number)
    }
    const neighbours = noNeighbours()
    let [seen, standing]: [readonly RewardLine[], Standing] = [[lineAt(0)], NEWEST]
    while (seen.length < 300 && asked < 1_000) {
      const step = await readOn(read, cursorAt(seen), standing, neighbours).catch(() => null)
      if (step !== null && !('fault' in step)) {
        seen = [...seen, ...[...step.newer].reverse()]
        standing = step.standing
      }
    }
    expect(seen.slice(0, 300)).toEqual([...linesUpTo(300)].reverse())
    expect(asked).toBeLessThan(1_000)
  })

  it('says that a history ends before the cursor, or has something else in its place', async () => {
    const cursor = cursorAt([lineAt(66)])
    expect(numbersOf(await readOn(readerOf(linesUpTo(10)), cursor, NEWEST))).toBe('lacking')
    const other = linesUpTo(25).map((line) => (line.index >= 60 ? lineAt(line.index, 'b') : line))
    expect(numbersOf(await readOn(readerOf(other), cursor, NEWEST))).toBe('gone')
  })
})

describe('lines that were handed out', () => {
  const all = linesUpTo(30)
  const cursor = cursorAt([...all].reverse().slice(5))
  const compare = (read: ReadPage) => compareSeen(read, cursor, { page: 0, sightings: noSightings() })

  const newest = cursorAt([...all].reverse().slice(24), lineAt(69))
  const compareNewest = (read: ReadPage) => compareSeen(read, newest, { page: 0, sightings: noSightings() })

  it('stand when each was shown by one answer, whatever the others lack', async () => {
    expect((await compare(readerOf(all))).proof).toBe('standing')
    expect((await compareNewest(readerOf([], all.slice(4), [], all))).proof).toBe('standing')
  })

  it('are not decided while one answer in a hundred shows some and the others, of a node that is starting, none', async () => {
    const starting = Array.from({ length: 99 }, () => [])
    expect((await compare(readerOf(all, ...starting))).proof).toBe('none')
  })

  it('are gone when eight answers show others in their place', async () => {
    const fork = all.map((line, at) => (at < 3 ? lineAt(line.index, 'b') : line))
    const { proof, lost, rest } = await compare(readerOf(fork))
    expect([proof, lost.map(({ index }) => index), rest.seen.length]).toEqual(['replaced', [81, 84, 87], 22])
  })

  it('are gone when eight answers end before them, and prove nothing to a node that is starting', async () => {
    expect(await compare(readerOf(all.slice(2)))).toMatchObject({
      proof: 'lacking',
      lost: [{ index: 84 }, { index: 87 }],
    })
    expect((await compare(readerOf([]))).proof).toBe('empty')
    expect((await compareNewest(readerOf(all.slice(2), []))).lost.length).toBe(2)
  })

  it('are gone when eight times a page ends above them and the next one begins below them', async () => {
    const fork = linesUpTo(40).filter(({ index }) => index !== 87)
    expect([pageOf(fork, 0).lines.at(-1)?.index, pageOf(fork, 1).lines[0]?.index]).toEqual([90, 84])
    expect(await compare(readerOf(fork))).toMatchObject({ proof: 'lacking', lost: [{ index: 87 }] })
  })

  it('are not decided when the next page is empty, as that of a node that is starting', async () => {
    const read: ReadPage = async (number) => pageOf(number === 0 ? linesUpTo(40) : [], number)
    expect((await compare(read)).proof).toBe('none')
  })

  it('stand although they are on neither of two pages, of two nodes that answer in turn', async () => {
    const [ahead, behind] = [linesUpTo(43), linesUpTo(40)]
    expect(pageOf(ahead, 1).lines.at(-1)?.index).toBe(69)
    expect(pageOf(behind, 2).lines[0]?.index).toBe(57)
    for (const page of [1, 2]) {
      const [last, sightings] = [cursorAt([60, 63, 66].map((index) => lineAt(index))), noSightings()]
      const { proof } = await compareSeen(readerOf(ahead, behind), last, { page, sightings })
      expect(proof).toBe('standing')
    }
  })

  it('are not gone three pages down when every other answer, by chance, is of a node that is behind', async () => {
    const ahead = linesUpTo(65)
    let [denied, state] = [0, 1]
    const isBehind = (): boolean => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 31 === 1
    }
    for (let times = 0; times < 200; times++) {
      const read: ReadPage = async (number) => pageOf(isBehind() ? all.slice(3) : ahead, number)
      const { proof } = await compareNewest(read)
      if (proof !== 'standing') denied++
    }
    // 119 of 200 where each search began at the newest page.
    expect(denied).toBeLessThan(6)
  })

  it('are gone although no comparison ends, as each goes on where the one before failed', async () => {
    const fork = linesUpTo(80).map((line) => (line.index === 87 ? lineAt(87, 'b') : line))
    const sightings = noSightings()
    let answers = 0
    const read: ReadPage = async (number) => {
      if (++answers % 7 === 0) throw new Error('cut')
      return pageOf(fork, number)
    }
    const compareOnce = () => compareSeen(read, cursor, { page: 5, sightings }).catch(() => null)
    let comparison = await compareOnce()
    for (let tries = 1; comparison === null && tries < 20; tries++) comparison = await compareOnce()
    expect(comparison).toMatchObject({ proof: 'replaced', lost: [{ index: 87 }] })
  })

  it('stand forty pages further down, also when one answer in twenty cuts each comparison short', async () => {
    const grown = linesUpTo(430)
    const sightings = noSightings()
    let answers = 0
    const read: ReadPage = async (number) => {
      if (++answers % 20 === 0) throw new Error('cut')
      return pageOf(grown, number)
    }
    const compareOnce = () => compareSeen(read, cursor, { page: 0, sightings }).catch(() => null)
    let comparison = await compareOnce()
    for (let tries = 1; comparison === null && tries < 10; tries++) comparison = await compareOnce()
    expect([comparison?.proof, answers]).toEqual(['standing', 45])
  })

  it('leave the lines below them what they are, also where the comparison failed at its last page', async () => {
    const [fork, sightings] = [
      all.map((line, at) => (at < 10 ? lineAt(line.index, 'b') : line)),
      noSightings(),
    ]
    const whole = cursorAt([...all].reverse().slice(20), lineAt(57))
    let answers = 0
    const read: ReadPage = async (number) => {
      // Page 0 denies all of them, page 1 shows what is below: eight times each.
      if (++answers === 16) throw new Error('cut')
      return pageOf(fork, number)
    }
    await expect(compareSeen(read, whole, { page: 0, sightings })).rejects.toThrow('cut')
    const { proof, rest } = await compareSeen(read, whole, { page: 0, sightings })
    expect([proof, rest.floor.index]).toEqual(['replaced', 57])
  })

  it('are not found anew for ever while one page of them cannot be read', async () => {
    const [fork, sightings] = [linesUpTo(40).map(({ index }) => lineAt(index, 'b')), noSightings()]
    const read: ReadPage = async (number) => {
      if (number > 1) throw new Error('cut')
      return pageOf(fork, number)
    }
    const counts: number[] = []
    for (let tries = 0; tries < 20; tries++) {
      await expect(compareSeen(read, cursor, { page: 0, sightings })).rejects.toThrow('cut')
      counts.push(countOf(sightings))
    }
    // Who counts that as progress asks four times a second.
    expect(counts.at(-1)).toBe(counts.at(-10))
  })

  it('are not decided while one answer shows a line and another one something else in its place', async () => {
    const fork = all.map((line, at) => (at < 3 ? lineAt(line.index, 'b') : line))
    expect((await compare(readerOf(fork, all))).proof).toBe('none')
  })
})
