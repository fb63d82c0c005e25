import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Facts } from '../parts/facts.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Page } from '../parts/page.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { dateText } from '../text/time-text.ts'

export function RewardDetailView({ index }: { readonly index: string }): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const { hasBegun, first, end } = useStoredRewards()
  const isPossible = /^\d{1,15}$/.test(index)
  const found = useRewardReading(
    async ({ rewardByIndex }) => ({ row: await rewardByIndex(Number(index)) }),
    hasBegun && isPossible,
    [index, first, end],
  )
  const row = found?.row
  const { explorer } = brand.network
  return (
    <Page title={text('rewards.detail')} back="/rewards">
      {row === undefined ? (
        <Missing isPossible={isPossible} isAsked={isPossible && found === null} />
      ) : (
        <>
          <div className="hero payment-head">
            <p className="hero-label">{text(`rewards.role.${row.role}`)}</p>
            <HeroAmount units={row.amount} sign="+" isWhole />
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

/** Says that a reward is not among those of this device, or that it is being read. */
function Missing({
  isPossible,
  isAsked,
}: {
  /** False if no reward has such an index. */
  readonly isPossible: boolean
  readonly isAsked: boolean
}): ReactNode {
  const { text } = useTexts()
  const later = useLaterTexts()
  const { isComplete, why } = useStoredRewards()
  if (isAsked) {
    return <p role="status">{text(why === null ? 'common.loading' : 'rewards.failed')}</p>
  }
  return (
    <>
      <p role="status">
        {isPossible && !isComplete ? text('rewards.notRead') : (later?.('rewards.none') ?? '')}
      </p>
      <div className="actions">
        <Link href="/rewards" className="button">
          {text('rewards.feed')}
        </Link>
      </div>
    </>
  )
}

const Hash = ({ hash }: { readonly hash: string }): ReactNode => <bdi className="hash">{hash}</bdi>
