import type { ReactNode } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { Amount } from '../parts/amount.tsx'
import { Page } from '../parts/page.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { dateText } from '../text/time-text.ts'

export function RewardDetailView({ index }: { readonly index: string }): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const { hasBegun, first, end, why } = useStoredRewards()
  const found = useRewardReading(
    async ({ rewardByIndex }) => ({ row: await rewardByIndex(Number(index)) }),
    hasBegun,
    [index, first, end],
  )
  const row = found?.row
  return (
    <Page title={text('rewards.detail')} back="/rewards">
      {row === undefined ? (
        <p role="status">
          {text(found !== null ? 'rewards.notRead' : why === null ? 'common.loading' : 'rewards.failed')}
        </p>
      ) : (
        <dl className="facts">
          <dt>{text('rewards.kind')}</dt>
          <dd>{text(`rewards.role.${row.role}`)}</dd>
          <dt>{text('common.amount')}</dt>
          <dd>
            <Amount units={row.amount} />
          </dd>
          <dt>{text('common.time')}</dt>
          <dd>{dateText(row.timeMs, language)}</dd>
          <dt>{text('rewards.block')}</dt>
          <dd className="hash">{row.recordHash}</dd>
          {row.keyBlockHash !== null && (
            <>
              <dt>{text('rewards.keyBlock')}</dt>
              <dd className="hash">{row.keyBlockHash}</dd>
            </>
          )}
          {brand.network.explorer !== null && (
            <>
              <dt>{text('common.explorer')}</dt>
              <dd>
                <ShortHash hash={row.recordHash} explorer={brand.network.explorer} kind="mblock" />
              </dd>
            </>
          )}
        </dl>
      )}
    </Page>
  )
}
