import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { Amount } from '../parts/amount.tsx'
import { Meter } from '../parts/meter.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card } from '../parts/page.tsx'
import { GetCoins } from './get-coins.tsx'

type StakeFacts = { readonly have: bigint; readonly need: bigint }

/** The amount that is missing to mine, and places to get it. */
export function StakeNotice({ have, need }: StakeFacts): ReactNode {
  const { text } = useTexts()
  const { format, symbol } = useMoney()
  const plain = (units: bigint): string => format(units).replace(` ${symbol}`, '')
  return (
    <Notice tone="warning" role="alert" action={<GetCoins />}>
      {text('mine.stake.missing', {
        have: plain(have),
        symbol,
        need: plain(need),
        missing: plain(need - have),
      })}
    </Notice>
  )
}

/** Stake: balance, required and missing amount. */
export function StakeCard({ have, need }: StakeFacts): ReactNode {
  const { text } = useTexts()
  const missing = have < need ? need - have : null
  return (
    <Card title={text('mine.stake.title')}>
      <Meter label={text('mine.stake.title')} have={have} need={need} />
      <dl className="facts facts-inline">
        <dt>{text('mine.stake.have')}</dt>
        <dd>
          <Amount units={have} />
        </dd>
        <dt>{text('mine.stake.need')}</dt>
        <dd>
          <Amount units={need} />
        </dd>
        {missing !== null && (
          <>
            <dt>{text('mine.stake.short')}</dt>
            <dd>
              <Amount units={missing} />
            </dd>
          </>
        )}
      </dl>
      <p className="muted small">{text(missing === null ? 'mine.stake.met' : 'mine.stake.text')}</p>
      {missing !== null && <GetCoins />}
    </Card>
  )
}
