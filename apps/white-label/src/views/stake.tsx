import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Amount } from '../parts/amount.tsx'
import { Fact } from '../parts/fact.tsx'
import { Meter } from '../parts/meter.tsx'
import { Card } from '../parts/page.tsx'

type StakeFacts = { readonly have: bigint; readonly need: bigint }

/** The stake of somebody who holds enough, but not much more. */
export function StakeCard({ have, need }: StakeFacts): ReactNode {
  const { text } = useTexts()
  return (
    <Card title={text('mine.stake.title')}>
      <Meter label={text('mine.stake.title')} have={have} need={need} />
      <dl className="facts facts-inline">
        <Fact name={text('mine.stake.have')}>
          <dd>
            <Amount units={have} />
          </dd>
        </Fact>
        <Fact name={text('mine.stake.need')}>
          <dd>
            <Amount units={need} />
          </dd>
        </Fact>
      </dl>
      <p className="muted small">{text('mine.stake.met')}</p>
    </Card>
  )
}
