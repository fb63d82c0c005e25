import '../style/estimate.css'
import type { Amount } from '@hailstone/protocol'
import { lastValue, useBalance, useSnapshot } from '@hailstone/react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useApp, useOnline, useTexts } from '../app/app-context.ts'
import { countedDays, type MinedDay, NEEDED_DAYS, type Pace, paceOf, unitsIn } from '../app/earnings-pace.ts'
import { useMoney } from '../app/use-money.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { type LaterKey, useLaterTexts } from '../i18n/later-texts.ts'
import type { TextOf } from '../i18n/make-texts.ts'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { amountText } from '../text/amount-text.ts'
import { hourText } from '../text/time-text.ts'

const DAY_MS = 86_400_000
/** Days of which the rewards are read: fourteen full ones and what is over of today. */
const READ_DAYS = 15
/** Time after which a figure that was not there is asked for again, in ms. */
const RETRY_MS = 60_000
const spans = [
  { key: 'estimate.day', days: 1n },
  { key: 'estimate.week', days: 7n },
  { key: 'estimate.month', days: 30n },
] as const

/** Estimates of what mining may bring: at the own pace, and by the network. No longer than 30 days ahead. */
export function EstimateView(): ReactNode {
  const text = useLaterTexts()
  if (text === null) {
    return (
      <main id="content" className="page">
        <SkeletonRows on="files" count={4} />
      </main>
    )
  }
  return (
    <Page title={text('estimate.title')} back="/rewards">
      {APP_MINES && <OwnPace text={text} />}
      <NetworkFigure text={text} />
      <Notice tone="info">{text('estimate.warning')}</Notice>
    </Page>
  )
}

type Words = { readonly text: TextOf<LaterKey> }

/** Digits after the point of an estimate of one coin or more, which is no exact amount. */
const FRACTION_DIGITS = 2

/** Returns an amount with the symbol, shortened; a dash while the decimals are not known. */
function useShortMoney(): (units: bigint) => string {
  const { language } = useTexts()
  const money = useMoney()
  const { decimals, symbol } = money
  return (units) => {
    if (decimals === null) return '—'
    const isBelowOne = units < 10n ** BigInt(decimals)
    const fractionMax = isBelowOne ? money.fractionMax : Math.min(FRACTION_DIGITS, money.fractionMax)
    return `\u2068${amountText(units, { language, decimals, fractionMax })} ${symbol}\u2069`
  }
}

function OwnPace({ text }: Words): ReactNode {
  const { leader } = useApp().host
  const { first, end, readBackToMs, isComplete, why } = useStoredRewards()
  const fromMs = useState(() => Date.now() - READ_DAYS * DAY_MS)[0]
  const isRead = isComplete || (readBackToMs !== null && readBackToMs < fromMs)
  useEffect(() => {
    if (!isRead && why === null) void leader.readOlderRewards({ backToMs: fromMs }).catch(() => undefined)
  }, [isRead, why, fromMs, leader])
  const days = useRewardReading(({ minedDays }) => minedDays(Date.now()), true, [first, end, readBackToMs])
  return (
    <Card title={text('estimate.own')}>
      {days === null || (!isRead && why === null) ? (
        // Each part of the history that comes is an answer: the wait for the next one begins anew.
        <SkeletonRows key={readBackToMs} on="network" count={3} />
      ) : (
        <OwnFigures text={text} days={days} isRead={isRead} />
      )}
    </Card>
  )
}

function OwnFigures({
  text,
  days,
  isRead,
}: Words & { readonly days: readonly MinedDay[]; readonly isRead: boolean }): ReactNode {
  const { text: common } = useTexts()
  const pace = paceOf(days)
  if (pace !== null) return <Range text={text} pace={pace} />
  // Days whose rewards could not be read may be missing.
  if (!isRead) return <p>{common('common.notKnown')}</p>
  return (
    <p className="estimate-few">
      {text('estimate.few', { have: countedDays(days).length, need: NEEDED_DAYS })}
    </p>
  )
}

function Range({ text, pace }: Words & { readonly pace: Pace }): ReactNode {
  const format = useShortMoney()
  const id = useId()
  const mean = Math.min(24, Math.max(1, Math.round(pace.minutesADay / 60)))
  const [hours, setHours] = useState(mean)
  return (
    <>
      <div className="estimate-hours">
        <label htmlFor={id}>{text('estimate.hours')}</label>
        <output htmlFor={id}>{hours}</output>
        <input
          id={id}
          type="range"
          min={1}
          max={24}
          value={hours}
          onInput={({ currentTarget }) => setHours(currentTarget.valueAsNumber)}
        />
      </div>
      <dl className="facts estimate-figures">
        {spans.map(({ key, days }) => {
          const minutes = BigInt(hours * 60) * days
          const [low, middle, high] = [pace.lowest, pace.middle, pace.highest].map((rate) =>
            format(unitsIn(rate, minutes)),
          )
          return (
            <Figure key={key} label={text(key)}>
              <span>{text('estimate.range', { low: low ?? '', high: high ?? '' })}</span>
              <span className="muted small">{text('estimate.middle', { amount: middle ?? '' })}</span>
            </Figure>
          )
        })}
      </dl>
      <p className="muted small">{text('estimate.counted', { days: pace.days })}</p>
    </>
  )
}

const Figure = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

type Reading = { readonly units: readonly bigint[]; readonly atMs: number }

/** Reads the figure of the network for a balance; none if it has none or does not answer. */
async function readFigure(
  client: ReturnType<typeof useApp>['host']['client'],
  stake: Amount,
): Promise<Reading | 'none'> {
  try {
    const found = await client.getExpectedReturn({ stake })
    if (found === undefined) return 'none'
    const units = [found.day, found.week, found.month].map((one) => BigInt(Math.trunc(one.units)))
    return { units, atMs: Date.now() }
  } catch {
    return 'none'
  }
}

/** The estimate of the network for the balance, of its own coin alone. Doubles, of which whole units are shown. */
function NetworkFigure({ text }: Words): ReactNode {
  const { brand, host } = useApp()
  const { language } = useTexts()
  const { stakes } = useSnapshot()
  const isOnline = useOnline()
  const format = useShortMoney()
  const stake = lastValue(useBalance())?.amount
  const isNative = stakes === null ? null : stakes.nativeTokenId === brand.token.hash
  const [reading, setReading] = useState<Reading | 'none' | null>(null)
  useEffect(() => {
    if (!isOnline) return setReading('none')
    setReading((before) => (before === 'none' ? null : before))
    if (isNative !== true || stake === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    async function read(of: Amount): Promise<void> {
      const next = await readFigure(host.client, of)
      if (isOver) return
      setReading(next)
      if (next === 'none') timer = setTimeout(() => void read(of), RETRY_MS)
    }
    void read(stake)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [host, isNative, isOnline, stake])
  return (
    <Card title={text('estimate.network')}>
      {isNative === false ? (
        <p>{text('estimate.nativeOnly')}</p>
      ) : reading === null ? (
        <SkeletonRows on="network" count={3} />
      ) : reading === 'none' ? (
        <p className="estimate-none">{text('estimate.none')}</p>
      ) : (
        <>
          <dl className="facts estimate-figures">
            {spans.map(({ key }, at) => (
              <Figure key={key} label={text(key)}>
                {text('estimate.about', { amount: format(reading.units[at] ?? 0n) })}
              </Figure>
            ))}
          </dl>
          <p className="muted small">
            {text('estimate.operator', { time: hourText(reading.atMs, language) })}
          </p>
        </>
      )}
    </Card>
  )
}
