import { type RewardRow, useRewards } from '@hailstone/react'
import { lazy, memo, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useNow, useOnline, useTexts } from '../app/app-context.ts'
import { downloadText } from '../app/download-text.ts'
import { useMoney } from '../app/use-money.ts'
import { Amount } from '../parts/amount.tsx'
import { ActionButton } from '../parts/busy-button.tsx'
import { Loading } from '../parts/loading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { dateText } from '../text/time-text.ts'
import { rewardsCsv } from './rewards-csv.ts'

const DAY_MS = 86_400_000
const PAGE = 20
const Chart = lazy(() => import('./rewards-chart.tsx'))

const periods = [
  { days: 1, key: 'rewards.day' },
  { days: 7, key: 'rewards.week' },
  { days: 30, key: 'rewards.month' },
] as const

export function RewardsView(): ReactNode {
  const { text } = useTexts()
  const rewards = useRewards()
  const { rows, isComplete, readAtMs, why, readMore, readBackTo, refresh } = rewards
  const isOnline = useOnline()
  const [role, setRole] = useState<Role>('all')
  const shown = useMemo(() => (role === 'all' ? rows : rows.filter((row) => row.role === role)), [rows, role])
  const hasBegun = readAtMs !== null
  useEffect(() => {
    if (hasBegun) void readBackTo(Date.now() - DAY_MS)
  }, [hasBegun, readBackTo])
  return (
    <Page title={text('rewards.title')}>
      {why !== null && (
        <Notice
          tone="warning"
          role="status"
          action={
            <ActionButton className="button" act={refresh} working={text('common.loading')}>
              {text('common.retry')}
            </ActionButton>
          }
        >
          {text(isOnline ? 'rewards.failed' : 'common.offline')}
        </Notice>
      )}
      <Totals />
      {rows.length > 0 && (
        <Suspense fallback={<div className="chart" />}>
          <Chart rows={rows} />
        </Suspense>
      )}
      <Card title={text('rewards.feed')} aside={<CsvButton rows={shown} />}>
        <RoleFilter rows={rows} role={role} onChange={setRole} />
        {/* None yet is something else than not read yet. */}
        {(hasBegun || why === null) && <Feed rows={shown} isLoading={!hasBegun} />}
        {hasBegun && !isComplete && (
          <ActionButton className="button" act={() => readMore(PAGE)} working={text('common.loading')}>
            {text('rewards.more')}
          </ActionButton>
        )}
        {hasBegun && (
          <p className="muted small" role="status">
            {text('rewards.count', { count: shown.length })}
          </p>
        )}
      </Card>
    </Page>
  )
}

type Role = RewardRow['role'] | 'all'

/** Filters rewards by role, if there is more than one. */
function RoleFilter({
  rows,
  role,
  onChange,
}: {
  readonly rows: readonly RewardRow[]
  readonly role: Role
  readonly onChange: (role: Role) => void
}): ReactNode {
  const { text } = useTexts()
  const roles = [...new Set(rows.map((row) => row.role))]
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

/** Totals of the loaded rewards; a dash if they do not reach back far enough. */
function Totals(): ReactNode {
  const { text } = useTexts()
  const { totalSince, readBackTo, readAtMs } = useRewards()
  const now = useNow(10_000)
  const { format, symbol } = useMoney()
  return (
    <div className="tiles">
      {periods.map(({ days, key }) => {
        const total = totalSince(now - days * DAY_MS)
        return (
          <div className="tile" key={key} data-days={days}>
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
            {total === null && readAtMs !== null && (
              <ActionButton
                className="button button-quiet button-small"
                act={() => readBackTo(Date.now() - days * DAY_MS)}
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
 * Splits rows into groups, newest first. Groups are counted from the oldest row, so that a new reward changes the first
 * group alone.
 */
function groupsOf(rows: readonly RewardRow[]): readonly (readonly RewardRow[])[] {
  const groups: (readonly RewardRow[])[] = []
  for (let end = rows.length; end > 0; end -= GROUP) groups.unshift(rows.slice(Math.max(0, end - GROUP), end))
  return groups
}

/** Rewards, newest first. Only groups near the screen have rows, so that a long list costs no more than a short one. */
function Feed({
  rows,
  isLoading,
}: {
  readonly rows: readonly RewardRow[]
  readonly isLoading: boolean
}): ReactNode {
  const { text } = useTexts()
  const groups = useMemo(() => groupsOf(rows), [rows])
  if (isLoading) return <Loading />
  if (rows.length === 0) return <p className="empty">{text('rewards.empty')}</p>
  return groups.map((group, at) => <FeedGroup key={groups.length - at} rows={group} />)
}

const FeedGroup = memo(
  ({ rows }: { readonly rows: readonly RewardRow[] }): ReactNode => {
    const list = useRef<HTMLOListElement>(null)
    const [isNear, setNear] = useState(rows.length < GROUP)
    const height = useRef(rows.length * ROW_HEIGHT)
    useEffect(() => {
      const element = list.current
      if (element === null) return
      const observer = new IntersectionObserver(
        ([entry]) => {
          if (entry === undefined) return
          if (!entry.isIntersecting && element.childElementCount > 0)
            height.current = entry.boundingClientRect.height
          setNear(entry.isIntersecting)
        },
        { rootMargin: '1000px' },
      )
      observer.observe(element)
      return () => observer.disconnect()
    }, [])
    return (
      <ol className="rows" ref={list} style={isNear ? {} : { height: `${height.current}px` }}>
        {isNear && rows.map((row) => <FeedRow key={row.index} row={row} />)}
      </ol>
    )
  },
  (before, after) => before.rows.length === after.rows.length && before.rows[0] === after.rows[0],
)

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

function CsvButton({ rows }: { readonly rows: readonly RewardRow[] }): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const { decimals, symbol } = useMoney()
  if (rows.length === 0 || decimals === null) return null
  return (
    <button
      type="button"
      className="button button-quiet button-small"
      onClick={() =>
        downloadText(`${brand.id}-rewards.csv`, rewardsCsv(rows, { decimals, symbol }), 'text/csv')
      }
    >
      {text('rewards.csv')}
    </button>
  )
}
