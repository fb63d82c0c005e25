import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { costsOfHistory } from '../bench/history-queries.ts'
import { describeEngines } from './engines.ts'

/** The class that the network uses: of the built package where tests take those. */
const { EmbeddedStatements }: typeof import('../../database/src/embedded-statements.ts') =
  process.env.HAILSTONE_BUILT_PACKAGES === '1'
    ? await import(new URL('../../database/dist/embedded-statements.js', import.meta.url).href)
    : await import('../../database/src/embedded-statements.ts')

/** Ten times as many rows, as times are compared by `npm run bench:history`. */
const SIZES = [400, 4_000]
const ROUNDS = 5
/** Reading every row of the longer chain would show as ten times as many. */
const MAX_GROWTH = 3
/** Rows of small tables, and of pages that are fuller on one chain than on another. */
const ALLOWED_ROWS = 200

type Plan = {
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows that the scans of a plan have read, those they threw away included. */
function rowsRead(plan: Plan): number {
  const inner = (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0)
  if (plan.Plans !== undefined) return inner
  const { 'Actual Rows': kept = 0, 'Actual Loops': loops = 1 } = plan
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  return (kept + removed) * loops
}

type Engine = { readonly query: (text: string, values?: unknown[]) => Promise<{ readonly rows: unknown[] }> }
/** Engines with fresh statistics of their tables, which the embedded one never gathers by itself. */
const analysed = new WeakSet<Engine>()

type Statement = { readonly engine: Engine; readonly text: string; readonly values: unknown[] }

/** Runs a question, then lets the engine say how many rows each of its statements reads. */
async function rowsOf(question: () => Promise<unknown>): Promise<number> {
  const statements: Statement[] = []
  const spies = [PGlite.prototype, pg.Client.prototype].map((prototype) => {
    const original = (prototype as unknown as Engine).query
    return vi.spyOn(prototype as unknown as Engine, 'query').mockImplementation(function (
      this: Engine,
      ...given: Parameters<Engine['query']>
    ) {
      const [text, values = []] = given
      if (typeof text === 'string' && /^\s*(?:select|with)\b/i.test(text))
        statements.push({ engine: this, text, values: [...values] })
      return original.apply(this, given)
    })
  })
  const { ask } = EmbeddedStatements.prototype
  const embedded = vi.spyOn(EmbeddedStatements.prototype, 'ask').mockImplementation(function (
    this: InstanceType<typeof EmbeddedStatements>,
    text,
    values,
  ) {
    statements.push({ engine: this.database as unknown as Engine, text, values: [...values] })
    return ask.call(this, text, values)
  })
  try {
    await question()
  } finally {
    for (const spy of [...spies, embedded]) spy.mockRestore()
  }
  let rows = 0
  for (const { engine, text, values } of statements) {
    if (!analysed.has(engine)) await engine.query('analyze')
    analysed.add(engine)
    // A short table is read whole although it has an index; a table without one still is.
    await engine.query('set enable_seqscan = off')
    const explained = await engine.query(`explain (analyze, timing off, format json) ${text}`, values)
    await engine.query('reset enable_seqscan')
    const [{ 'QUERY PLAN': plan } = { 'QUERY PLAN': '[]' }] = explained.rows as { 'QUERY PLAN': unknown }[]
    const [{ Plan: root } = { Plan: {} }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as {
      Plan: Plan
    }[]
    rows += rowsRead(root)
  }
  return rows
}

describeEngines('history queries', (engine) => {
  test('read as many rows on a long chain as on a short one', async () => {
    const places = [await engine.newPlace(), await engine.newPlace()]
    const rows = await costsOfHistory(places, { sizes: SIZES, rounds: ROUNDS }, rowsOf)
    expect(rows.size).toBeGreaterThan(10)
    expect([...rows.values()].filter(([short = 0]) => short > 0).length).toBeGreaterThan(10)
    const growing = [...rows].filter(
      ([, [short = 0, long = 0]]) => long > MAX_GROWTH * short + ALLOWED_ROWS * ROUNDS,
    )
    expect(growing).toEqual([])
  })
})
