import type { ReactNode } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { Facts } from '../parts/facts.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
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
  const { explorer } = brand.network
  return (
    <Page title={text('rewards.detail')} back="/rewards">
      {row === undefined ? (
        <p role="status">
          {text(found !== null ? 'rewards.notRead' : why === null ? 'common.loading' : 'rewards.failed')}
        </p>
      ) : (
        <>
          <div className="hero payment-head">
            <p className="hero-label">{text(`rewards.role.${row.role}`)}</p>
            <HeroAmount units={row.amount} sign="+" />
          </div>
          <Facts
            rows={[
              [text('common.time'), dateText(row.timeMs, language)],
              [text('rewards.block'), <Hash key="block" hash={row.recordHash} />],
              row.keyBlockHash !== null && [
                text('rewards.keyBlock'),
                <Hash key="keyBlock" hash={row.keyBlockHash} />,
              ],
              explorer !== null && [
                text('common.explorer'),
                <ShortHash key="explorer" hash={row.recordHash} explorer={explorer} kind="microblock" />,
              ],
            ]}
          />
        </>
      )}
    </Page>
  )
}

const Hash = ({ hash }: { readonly hash: string }): ReactNode => <bdi className="hash">{hash}</bdi>
