import type { ReactNode } from 'react'
import { useEngine, useTexts } from '../app/app-context.ts'
import { useStoredRewards } from '../app/use-stored-rewards.ts'
import { Amount } from '../parts/amount.tsx'
import { Fact } from '../parts/fact.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Ticking } from '../parts/ticking.tsx'
import { agoText } from '../text/time-text.ts'
import { ApiNotice } from './api-notice.tsx'
import { BalanceLine } from './balance-line.tsx'

/** Start view of builds that do not mine: balance and rewards. */
export function OverviewView(): ReactNode {
  const { text } = useTexts()
  const isReady = (useEngine()?.snapshot ?? null) !== null
  return (
    <Page title={text('tabs.overview')}>
      {isReady ? <Account /> : <SkeletonRows on="engine" count={4} />}
      <p className="muted">{text('mine.unavailable')}</p>
    </Page>
  )
}

function Account(): ReactNode {
  const { text, language } = useTexts()
  const { totals, newestAtMs } = useStoredRewards()
  return (
    <>
      <BalanceLine />
      <Card title={text('mine.today')}>
        <dl className="facts facts-inline">
          <Fact name={text('mine.earned24h')}>
            <dd>
              <Amount units={totals.day} />
            </dd>
          </Fact>
          <Fact name={text('overview.lastReward')}>
            <dd>
              {newestAtMs === null ? '—' : <Ticking>{(now) => agoText(newestAtMs, now, language)}</Ticking>}
            </dd>
          </Fact>
        </dl>
        <ApiNotice />
      </Card>
    </>
  )
}
