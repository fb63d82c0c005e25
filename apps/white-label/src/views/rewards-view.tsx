import '../style/rewards.css'
import type { RewardRow } from '@hailstone/react'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useNow, useOnline, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Amount } from '../parts/amount.tsx'
import { ActionButton } from '../parts/busy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Fact } from '../parts/fact.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SaveButton } from '../parts/save-button.tsx'
import { Segments } from '../parts/segments.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { dateText, dayHeadText, timeText } from '../text/time-text.ts'
import { type DayHead, dayHeads, periodsOf } from './reward-periods.ts'
import { RewardsChart } from './rewards-chart.tsx'
import { rewardsCsv } from './rewards-csv.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PAGE = 20

const spans = [
  { name: 'day', key: 'rewards.day', days: 1 },
  { name: 'week', key: 'rewards.week', days: 7 },
  { name: 'month', key: 'rewards.month', days: 30 },
] as const
type Span = (typeof spans)[number]

export function RewardsView(): ReactNode {
  const { text } = useTexts()
  const later = useLaterTexts()
  const { brand, host } = useApp()
  const { leader } = host
  const { first, end, counts, isComplete, hasBegun, why } = useStoredRewards()
  const isOnline = useOnline()
  const [role, setRole] = useState<Role>('all')
  const count = role === 'all' ? end - first : (counts[role] ?? 0)
  return (
    <Page title={text('rewards.title')}>
      {why !== null && isOnline && (
        <Notice
          tone="warning"
          role="status"
          action={
            <ActionButton
              className="button"
              act={() => leader.refreshRewards(undefined)}
              working={text('common.loading')}
            >
              {text('common.retry')}
            </ActionButton>
          }
        >
          {text('rewards.failed')}
        </Notice>
      )}
      <div className="columns">
        <div className="column">
          <Earned />
          {brand.features.roi && later !== null && (
            <nav className="links" aria-label={later('estimate.title')}>
              <Link href="/rewards/estimate" className="link-row">
                <span>{later('estimate.title')}</span>
                <Icon name="next" />
              </Link>
            </nav>
          )}
        </div>
        <Card title={text('rewards.feed')} aside={<CsvButton role={role} count={count} />}>
          <RoleFilter role={role} onChange={setRole} />
          {/* None yet is something else than not read yet. */}
          {(hasBegun || why === null) && <Feed role={role} count={count} isLoading={!hasBegun} />}
          {hasBegun && !isComplete && (
            <ActionButton
              className="button"
              act={() => leader.readOlderRewards({ count: PAGE })}
              working={text('common.loading')}
            >
              {text('rewards.more')}
            </ActionButton>
          )}
          {hasBegun && (
            <p className="muted small" role="status">
              {text('rewards.count', { count })}
            </p>
          )}
        </Card>
      </div>
    </Page>
  )
}

type Role = RewardRow['role'] | 'all'

/** Filters rewards by role, if there is more than one. */
function RoleFilter({
  role,
  onChange,
}: {
  readonly role: Role
  readonly onChange: (role: Role) => void
}): ReactNode {
  const { text } = useTexts()
  const { counts } = useStoredRewards()
  const roles = (Object.keys(counts) as RewardRow['role'][]).filter((one) => (counts[one] ?? 0) > 0)
  if (roles.length < 2) return null
  return (
    <label className="picker">
      <span>{text('rewards.kind')}</span>
      <select value={role} onChange={({ currentTarget }) => onChange(currentTarget.value as Role)}>
        <option value="all">{text('rewards.feed')}</option>
        {roles.map((one) => (
          <option key={one} value={one}>
            {text(`rewards.role.${one}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The sum of a span with its hours or days. It is not shown while rewards of the span are missing. */
function Earned(): ReactNode {
  const { text } = useTexts()
  const { leader } = useApp().host
  const { totals, first, end, readBackToMs, hasBegun, why } = useStoredRewards()
  const [span, setSpan] = useState<Span>(spans[0])
  const { format, symbol } = useMoney()
  const { name, key, days } = span
  const total = totals[name]
  const isMissing = hasBegun && total === null && why === null
  useEffect(() => {
    if (isMissing) void leader.readOlderRewards({ backToMs: Date.now() - days * DAY_MS })
  }, [isMissing, days, leader])
  const hour = Math.floor(useNow(10_000) / HOUR_MS)
  const chart = useRewardReading(
    async ({ rewardSums }) => ({
      isHours: days === 1,
      periods: await periodsOf(rewardSums, {
        days,
        nowMs: Date.now(),
        readBackToMs: readBackToMs ?? Number.POSITIVE_INFINITY,
      }),
    }),
    total !== null,
    [days, first, end, readBackToMs, hour],
  )
  return (
    <section className="earned" aria-label={text('rewards.span')}>
      <Segments
        label={text('rewards.span')}
        value={name}
        options={spans.map((one) => ({ value: one.name, label: text(one.key) }))}
        onChange={(chosen) => setSpan(spans.find((one) => one.name === chosen) ?? spans[0])}
      />
      <div className="hero" data-period={name}>
        <HeroAmount units={total ?? (why === null ? undefined : null)} />
      </div>
      <p className="visually-hidden" role="status">
        {text('rewards.total', {
          amount: format(total).replace(` ${symbol}`, ''),
          symbol,
          period: text(key),
        })}
      </p>
      {chart !== null && total !== null && end > first && chart.periods.length > 1 && (
        <RewardsChart periods={chart.periods} isHours={chart.isHours} />
      )}
      {hasBegun && (
        <dl className="facts facts-inline">
          <Fact name={text('rewards.today')}>
            <dd data-period="today">
              <Amount units={totals.today} />
            </dd>
          </Fact>
          <Fact name={text('rewards.feed')}>
            <dd data-period="all">
              {totals.all === null ? (
                <ActionButton
                  className="button button-quiet button-small"
                  act={() => leader.readOlderRewards({ backToMs: 0 })}
                  working={text('common.loading')}
                >
                  {text('rewards.readBack')}
                </ActionButton>
              ) : (
                <Amount units={totals.all} />
              )}
            </dd>
          </Fact>
        </dl>
      )}
    </section>
  )
}

/** Rows of one group of the feed. */
const GROUP = 100

/** Height of a row in px, for groups that were never drawn. */
const ROW_HEIGHT = 64

/**
 * Rewards, newest first. Only groups near the screen have rows, which the engine reads from its store, so that a long
 * list costs no more than a short one. Groups are counted from the oldest reward, so that a new one changes the first
 * group alone.
 */
function Feed({
  role,
  count,
  isLoading,
}: {
  readonly role: Role
  readonly count: number
  readonly isLoading: boolean
}): ReactNode {
  const { text } = useTexts()
  if (isLoading) return <SkeletonRows on="engine" count={4} />
  if (count === 0) {
    return (
      <Empty
        art="noRewards"
        action={
          APP_MINES && (
            <Link href="/" className="button">
              {text('tabs.mine')}
            </Link>
          )
        }
      >
        {text('rewards.empty')}
      </Empty>
    )
  }
  const groups = Math.ceil(count / GROUP)
  return Array.from({ length: groups }, (_, at) => {
    const from = (groups - 1 - at) * GROUP
    return <FeedGroup key={`${role} ${from}`} role={role} from={from} count={Math.min(GROUP, count - from)} />
  })
}

type FeedGroupProps = { readonly role: Role; readonly from: number; readonly count: number }

const FeedGroup = memo((group: FeedGroupProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [height, setHeight] = useState(group.count * ROW_HEIGHT)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return
        if (!entry.isIntersecting && element.querySelector('.rows') !== null)
          setHeight(entry.boundingClientRect.height)
        setNear(entry.isIntersecting)
      },
      { rootMargin: '1000px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place}>{isNear ? <GroupRows {...group} height={height} /> : <Space height={height} />}</div>
  )
})

const Space = ({ height }: { readonly height: number }): ReactNode => (
  <div style={{ height: `${height}px` }} />
)

function GroupRows({ role, from, count, height }: FeedGroupProps & { readonly height: number }): ReactNode {
  // The group has others after older ones were read.
  const { first, end, readBackToMs } = useStoredRewards()
  const group = useRewardReading(
    async ({ rewardRange, rewardSums }) => {
      // One more, which belongs to the group above: a day that goes on there has its head there.
      const read = [...(await rewardRange({ role, from, count: count + 1 }))].reverse()
      const newer = read.length > count ? read.shift() : undefined
      return {
        rows: read,
        heads: await dayHeads(rewardSums, {
          rows: read,
          newer,
          readBackToMs: readBackToMs ?? Number.POSITIVE_INFINITY,
        }),
      }
    },
    true,
    [role, from, count, first, end, readBackToMs],
  )
  if (group === null) return <Space height={height} />
  return (
    <ol className="rows">
      {group.rows.map((row) => (
        <FeedRow key={row.index} row={row} head={group.heads.get(row.index)} isSummed={role === 'all'} />
      ))}
    </ol>
  )
}

type FeedRowProps = {
  readonly row: RewardRow
  readonly head: DayHead | undefined
  /** False where some rewards of the day are not in the list: what is shown would not be their sum. */
  readonly isSummed: boolean
}

const FeedRow = memo(
  ({ row, head, isSummed }: FeedRowProps): ReactNode => {
    const { text, language } = useTexts()
    return (
      <>
        {head !== undefined && (
          <li className="day-head">
            <span>{dayHeadText(head.startMs, language)}</span>
            {isSummed && head.units !== null && <Amount units={head.units} />}
          </li>
        )}
        <li className="row" data-index={row.index}>
          <Link href={`/rewards/${row.index}`} className="row-link">
            <span className="row-main">
              <span>{text(`rewards.role.${row.role}`)}</span>
              <span className="row-amount good">
                <Amount units={row.amount} sign="+" isPlain />
              </span>
              <time
                className="muted small"
                dateTime={new Date(row.timeMs).toISOString()}
                title={dateText(row.timeMs, language)}
              >
                {timeText(row.timeMs, language)}
              </time>
            </span>
          </Link>
        </li>
      </>
    )
  },
  (before, after) =>
    before.row.recordHash === after.row.recordHash &&
    before.row.index === after.row.index &&
    before.isSummed === after.isSummed &&
    before.head?.units === after.head?.units &&
    before.head?.startMs === after.head?.startMs,
)

function CsvButton({ role, count }: { readonly role: Role; readonly count: number }): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const { decimals, symbol } = useMoney()
  if (count === 0 || decimals === null) return null
  const read = (from: number, part: number) => host.rewards.rewardRange({ role, from, count: part })
  return (
    <SaveButton
      className="button button-quiet button-small"
      name={`${brand.id}-rewards.csv`}
      type="text/csv"
      read={() => rewardsCsv(read, { count, decimals, symbol })}
    >
      {text('rewards.csv')}
    </SaveButton>
  )
}
