import type { RewardRow } from '@hailstone/react'
import { lazy, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useOnline, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { Amount } from '../parts/amount.tsx'
import { ActionButton } from '../parts/busy-button.tsx'
import { Loading } from '../parts/loading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SaveButton } from '../parts/save-button.tsx'
import { dateText } from '../text/time-text.ts'
import { rewardsCsv } from './rewards-csv.ts'

const DAY_MS = 86_400_000
const PAGE = 20
const Chart = lazy(() => import('./rewards-chart.tsx'))

const periods = [
  { name: 'today', key: 'rewards.today', days: 1 },
  { name: 'day', key: 'rewards.day', days: 1 },
  { name: 'week', key: 'rewards.week', days: 7 },
  { name: 'month', key: 'rewards.month', days: 30 },
  { name: 'all', key: 'rewards.feed', days: null },
] as const

export function RewardsView(): ReactNode {
  const { text } = useTexts()
  const { leader } = useApp().host
  const { first, end, counts, isComplete, hasBegun, why } = useStoredRewards()
  const isOnline = useOnline()
  const [role, setRole] = useState<Role>('all')
  const count = role === 'all' ? end - first : (counts[role] ?? 0)
  return (
    <Page title={text('rewards.title')}>
      {why !== null && (
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
          {text(isOnline ? 'rewards.failed' : 'common.offline')}
        </Notice>
      )}
      <Totals />
      {end > first && (
        <Suspense fallback={<div className="chart" />}>
          <Chart />
        </Suspense>
      )}
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

/** Totals that the engine adds up; a dash for a period that was not read yet. */
function Totals(): ReactNode {
  const { text } = useTexts()
  const { leader } = useApp().host
  const { totals, hasBegun } = useStoredRewards()
  const { format, symbol } = useMoney()
  return (
    <div className="tiles">
      {periods.map(({ name, key, days }) => {
        const total = totals[name]
        return (
          <div className="tile" key={name} data-period={name}>
            <p className="tile-label">{text(key)}</p>
            <p className="tile-value">
              <Amount units={total} />
            </p>
            <p className="visually-hidden">
              {text('rewards.total', {
                amount: format(total).replace(` ${symbol}`, ''),
                symbol,
                period: text(key),
              })}
            </p>
            {total === null && hasBegun && (
              <ActionButton
                className="button button-quiet button-small"
                act={() =>
                  leader.readOlderRewards({ backToMs: days === null ? 0 : Date.now() - days * DAY_MS })
                }
                working={text('common.loading')}
              >
                {text('rewards.readBack')}
              </ActionButton>
            )}
          </div>
        )
      })}
    </div>
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
  if (isLoading) return <Loading />
  if (count === 0) return <p className="empty">{text('rewards.empty')}</p>
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
  const { first } = useStoredRewards()
  const rows = useRewardReading(({ rewardRange }) => rewardRange({ role, from, count }), true, [
    role,
    from,
    count,
    first,
  ])
  if (rows === null) return <Space height={height} />
  return (
    <ol className="rows">
      {[...rows].reverse().map((row) => (
        <FeedRow key={row.index} row={row} />
      ))}
    </ol>
  )
}

const FeedRow = memo(({ row }: { readonly row: RewardRow }): ReactNode => {
  const { text, language } = useTexts()
  return (
    <li className="row" data-index={row.index}>
      <Link href={`/rewards/${row.index}`} className="row-link">
        <span className="row-main">
          <span>{text(`rewards.role.${row.role}`)}</span>
          <time className="muted small" dateTime={new Date(row.timeMs).toISOString()}>
            {dateText(row.timeMs, language)}
          </time>
        </span>
        <span className="row-amount good">
          <Amount units={row.amount} sign="+" />
        </span>
      </Link>
    </li>
  )
})

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
