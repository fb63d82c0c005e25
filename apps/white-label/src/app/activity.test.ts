import { expect, it, vi } from 'vitest'
import { newestPage, olderPage, type Records, withNewest, withOlder } from './activity.ts'

type Row = { readonly index: number; readonly branch?: string }

/** Transfers, newest first, whose running numbers leave room for the rewards between them. */
const rowsTo = (newest: number): Row[] =>
  Array.from({ length: newest }, (_, at) => ({ index: 3 * (newest - at) }))

/** Reads pages of a history; each answer comes from a node that is so many transfers behind, by turns. */
function readerOf(all: { rows: readonly Row[] }, behind: readonly number[]) {
  let asked = 0
  return async (page: number): Promise<Records<Row>> => {
    const shown = all.rows.slice(behind[asked++ % behind.length])
    const records = shown.slice(page * 10, page * 10 + 10)
    return { records, isLast: records.length < 10 }
  }
}
const NOTHING: Records<Row> = { records: [], isLast: false }

it.each([[[0]], [[0, 3]], [[3, 0]], [[3, 3, 0]], [[0, 11, 3]], [[0, 40]]])(
  'no transfer is lost between pages of nodes that are behind by turns: %j',
  async (behind) => {
    const all = { rows: rowsTo(40) }
    const read = readerOf(all, behind)
    let known = withNewest(NOTHING, await newestPage(read, null))
    for (let more = 0; more < 20 && !known.isLast; more++)
      known = withOlder(known, known, await olderPage(read, known))
    for (let height = 0; height < 3; height++) known = withNewest(known, await newestPage(read, known))
    expect(known).toEqual({ records: all.rows, isLast: true })
  },
)

it('an empty page removes no transfer, and is all there is once it was repeated, which is done once', async () => {
  const known = { records: rowsTo(4), isLast: true }
  expect(withNewest(known, { records: [], isLast: true })).toBe(known)
  expect(await newestPage(readerOf({ rows: rowsTo(4) }, [4, 4, 0]), null)).toEqual(known)
  const empty = vi.fn(readerOf({ rows: [] }, [0]))
  const none = withNewest(NOTHING, await newestPage(empty, null))
  expect(none).toEqual({ records: [], isLast: true })
  expect(empty).toHaveBeenCalledTimes(4)
  expect(withNewest(none, await newestPage(empty, none))).toEqual(none)
  expect(empty).toHaveBeenCalledTimes(5)
})

it('the newest page takes the place of what a fork has changed, and begins anew where transfers may be missing', () => {
  const known = { records: rowsTo(12), isLast: true }
  const forked = [{ index: 36, branch: 'new' }, ...rowsTo(10).slice(0, 9)]
  expect(withNewest(known, { records: forked, isLast: false }).records).toEqual([...forked, { index: 3 }])
  const page = { records: rowsTo(40).slice(0, 10), isLast: false }
  expect(withNewest(known, page)).toBe(page)
  expect(withOlder(page, known, known)).toBe(page)
  // A server that does not sort makes no list that grows.
  const unsorted = { records: rowsTo(10).reverse(), isLast: true }
  expect(withNewest(withNewest(NOTHING, unsorted), unsorted)).toEqual(unsorted)
})
