import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeBothEngines } from '../../local-network/test/engines.ts'
import { openIndex } from '../src/index.ts'
import { columnKinds, type WrittenTable } from '../src/schema.ts'
import { makePartitions } from '../src/store/partitions.ts'
import { addUndo } from '../src/store/undo.ts'
import { addRows, putRows } from '../src/store/write-rows.ts'

const texts = [
  '',
  'null',
  'NULL',
  '{a,b}',
  '"',
  '\\',
  '\\"',
  ' a , b ',
  'line\nline',
  'ключ 🔑',
  "'; drop table x",
]
const largest = 10n ** 20n - 1n

describeBothEngines('rows that are written', (engine) => {
  it('have every column of their tables', async () => {
    await using index = await openIndex(await engine.newPlace())
    const names = Object.keys(columnKinds) as WrittenTable[]
    for (const name of names) {
      const { rows } = await sql<{ column: string }>`select attname as column from pg_attribute
        where attrelid = ${name}::regclass and attnum > 0 and not attisdropped`.execute(index.queries)
      expect([name, rows.map(({ column }) => column).sort()]).toEqual([
        name,
        Object.keys(columnKinds[name]).sort(),
      ])
    }
  })

  it('come back exactly, whatever a text holds and however large units are', async () => {
    await using index = await openIndex(await engine.newPlace())
    const { queries } = index
    await makePartitions(queries, { from: 0, to: 0 })
    const transfers = texts.map((data, ordinal) => ({
      ...{ height: 1, ordinal, token: 1, sender: 2, receiver: 3, amount: largest, fee: 0n, status: 3 },
      ...{ hash: 'ab', data },
    }))
    await addRows(queries, 'transfer', transfers)
    const read = await queries.selectFrom('transfer').selectAll().orderBy('ordinal').execute()
    expect(read).toEqual(transfers)
    const miner = {
      ...{ token: 1, account: 2, first_height: 1, first_day: 1, last_height: 1, last_day: 1, last_hour: 1 },
      ...{ active_days: 1, microblocks: 2n ** 60n, earned: -largest, agent: null, agent_since: null },
      is_below: true,
    }
    const changed = { ...miner, agent: 7, is_below: false }
    await putRows(queries, 'miner', ['token', 'account'], [miner])
    await putRows(queries, 'miner', ['token', 'account'], [changed])
    expect(await queries.selectFrom('miner').selectAll().execute()).toEqual([changed])
  })

  it('are kept for an undo as what they were, or as not there', async () => {
    await using index = await openIndex(await engine.newPlace())
    const before = { token: 1, account: 2, amount: largest }
    await addUndo(index.queries, [
      { height: 4, changes: [{ name: 'holding', key: '1 2', before }] },
      { height: 5, changes: [{ name: 'holding', key: '1 3', before: null }] },
    ])
    const rows = await index.queries.selectFrom('undo').selectAll().orderBy('height').execute()
    expect(rows.map(({ before: text }) => (text === null ? null : JSON.parse(text)))).toEqual([
      { ...before, amount: String(largest) },
      null,
    ])
    expect(rows.map(({ height, seq, name, key }) => [height, seq, name, key])).toEqual([
      [4, 0, 'holding', '1 2'],
      [5, 0, 'holding', '1 3'],
    ])
  })

  it('are at most 5,000 in a statement, however many of them a block has', async () => {
    await using index = await openIndex(await engine.newPlace())
    const counts: (bigint | undefined)[] = []
    const counted = index.queries.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        counts.push(result.numAffectedRows)
        return result
      },
    })
    const blockOf = (height: number, rows: number) => ({
      height,
      changes: Array.from({ length: rows }, (_, account) => ({
        ...{ name: 'holding' as const, key: `1 ${account}` },
        before: { token: 1, account, amount: largest },
      })),
    })
    await addUndo(counted, [blockOf(4, 3), blockOf(5, 12_000), blockOf(6, 0), blockOf(7, 2997)])
    expect(counts).toEqual([5000n, 5000n, 5000n])
    const { rows } = await sql<object>`select height, count(*)::int as rows, count(distinct seq)::int as seqs
      from undo group by height order by height`.execute(index.queries)
    expect(rows).toEqual([
      { height: 4, rows: 3, seqs: 3 },
      { height: 5, rows: 12_000, seqs: 12_000 },
      { height: 7, rows: 2997, seqs: 2997 },
    ])
  })
})
