import { ask, askChain, type FigureContext } from './figure.ts'

/** Heights of macroblocks: above the first one, up to the second one. */
export type Span = { readonly after: number; readonly to: number }

/** Times in which an account had the least stake. A microblock is judged by what the macroblock before left. */
export type StakeTimes = {
  /** Spans in which it had the stake, the newest first. */
  readonly enough: readonly Span[]
  /** Spans in which it was below, the newest first. */
  readonly below: readonly Span[]
  /** Spans in `below` that began when the balance fell, without the time before the account had the stake at all. */
  readonly fallen: readonly Span[]
  /** Height of the newest change, however long ago; null if none is known. */
  readonly changedAt: number | null
  /** Height above which the spans are known, if that is not all that was asked for. */
  readonly unknownTo: number | null
}

/** Changes of one account that an answer reads; what is older counts as not known. */
const CHANGES_READ = 50

/**
 * Reads when an account had the least stake, by the changes that the indexer keeps.
 *
 * @param parameters.after height above which the times are asked for
 * @param parameters.isBelow true if the balance is below the least stake now
 */
export async function readStakeTimes(
  context: FigureContext,
  parameters: { readonly account: number; readonly after: number; readonly isBelow: boolean },
): Promise<StakeTimes> {
  const { account, after, isBelow } = parameters
  const [known] = await askChain(
    context,
    'select stake_changes_from as first, (select max(height) from block) as tip from network',
    [],
  )
  const changes = await ask(
    context,
    `select height, is_below from stake_change where token = $1 and account = $2
    order by height desc limit ${CHANGES_READ}`,
    [account],
  )
  const oldest = changes.length < CHANGES_READ ? after : Math.max(after, Number(changes.at(-1)?.height))
  const begin = Math.max(oldest, Number(known?.first ?? 0) - 1)
  const spans = { enough: [] as Span[], below: [] as Span[], fallen: [] as Span[] }
  let [to, wasBelow] = [Number(known?.tip ?? -1), isBelow]
  const add = (height: number, hadStake: boolean): void => {
    const span = { after: Math.max(height, begin), to }
    if (span.after >= to) return
    spans[wasBelow ? 'below' : 'enough'].push(span)
    if (wasBelow && hadStake) spans.fallen.push(span)
  }
  for (const change of changes) {
    const height = Number(change.height)
    add(height, true)
    to = height
    wasBelow = !change.is_below
    if (height <= begin) break
  }
  add(begin, false)
  const changedAt = changes[0] === undefined ? null : Number(changes[0].height)
  return { ...spans, changedAt, unknownTo: begin > after ? begin : null }
}

/**
 * Counts the microblocks of the token in some spans: by the sums of days and hours, and by rows in the hour of each end, so
 * that long times cost no more than short ones.
 */
export async function countMicroblocks(context: FigureContext, spans: readonly Span[]): Promise<number> {
  const heights = [...new Set(spans.flatMap(({ after, to }) => [after, to]))]
  if (heights.length === 0) return 0
  // Up to each end, from the day of the first one on. Below the first macroblock of the tables there is no row and no day.
  const rows = await ask(
    context,
    `with ends as (select h.height, b.day, b.hour,
        coalesce(lag(b.day) over low, case when lag(h.height) over low is null then b.day else 0 end) as before
      from unnest($2::int[]) as h (height) left join block b on b.height = h.height window low as (order by h.height))
    select e.height, (sum((select coalesce(sum(d.microblocks), 0) from token_day d
        where d.token = $1 and d.day >= e.before and d.day < e.day)) over (order by e.height)
      + (select coalesce(sum(o.microblocks), 0) from token_hour o
        where o.token = $1 and o.hour >= e.day * 24 and o.hour < e.hour)
      + (select count(*) from microblock m where m.token = $1 and m.height <= e.height and m.height > coalesce((
        select b.height from block b where b.height <= e.height and b.hour < e.hour order by b.height desc limit 1), -1)))::int as count
    from ends e`,
    [heights],
  )
  const until = new Map(rows.map(({ height, count }) => [Number(height), Number(count)]))
  return spans.reduce((sum, { after, to }) => sum + (until.get(to) ?? 0) - (until.get(after) ?? 0), 0)
}
