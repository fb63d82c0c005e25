import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { encodeReferralCode } from '@hailstone/protocol'
import { useMiner, useReferral } from '@hailstone/react'
import { type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useTexts } from '../app/app-context.ts'
import { type InvitedRewards, MAX_REWARDS, useInvitedMiners } from '../app/use-invited-miners.ts'
import { useMoney } from '../app/use-money.ts'
import { appPlace } from '../host/app-place.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Amount } from '../parts/amount.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Fact } from '../parts/fact.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Icon } from '../parts/icon.tsx'
import { FailedPart, loaded, NothingInstead } from '../parts/loaded.tsx'
import { Meter } from '../parts/meter.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { ShareButton } from '../parts/share-button.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { countText, shareText } from '../text/amount-text.ts'

const QrPicture = loaded(() => import('../parts/qr-picture.tsx'), 'QrPicture', FailedPart)
const InvitedMiners = loaded(() => import('./invited-miners.tsx'), 'InvitedMiners', FailedPart)
const TestCoins = loaded(() => import('./test-coins.tsx'), 'TestCoins', NothingInstead)
const CameBy = loaded(() => import('./came-by.tsx'), 'CameBy', NothingInstead)
const ReferrerAnswers = loaded(() => import('./referrer-answers.tsx'), 'ReferrerAnswers', FailedPart)
const InviteCardButton = loaded(() => import('./invite-card-button.tsx'), 'InviteCardButton', NothingInstead)

/** Returns the link with which a friend joins with this code: below the brand's base, else where the app is. */
const inviteLink = (brand: RuntimeBrand, code: string): string =>
  new URL(code, brand.referral.linkBase ?? `${appPlace(brand)}i/`).href

export function InviteView(): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const { code, own, shareBps } = useReferral()
  const { symbol, format } = useMoney()
  const link = inviteLink(brand, code)
  const share = shareBps === null ? '—' : shareText(shareBps, language)
  const half = shareBps === null ? '—' : shareText(shareBps / 2, language)
  const rewards = useInvitedMiners()
  return (
    <Page title={text('invite.title')}>
      {rewards.count > 0 && <EarnedByInvitations {...rewards} />}
      <Card title={text('invite.card')}>
        <p>{text('invite.text', { share })}</p>
        <Suspense fallback={<div className="qr" />}>
          <QrPicture text={link} label={text('invite.qr')} />
        </Suspense>
        <p className="hash" data-code={code}>
          {code}
        </p>
        {own.isMet === false && (
          <Notice
            tone="warning"
            action={
              <Suspense fallback={null}>
                <TestCoins as="agent" />
              </Suspense>
            }
          >
            {text('invite.inactive', { need: format(own.need) })}
          </Notice>
        )}
        <div className="actions actions-row">
          <CopyButton value={code} label={text('invite.copyCode')} />
          <CopyButton value={link} label={text('invite.copyLink')} />
          <ShareButton text={text('invite.share', { symbol, link })} link={link} />
          <Suspense fallback={null}>
            <InviteCardButton link={link} />
          </Suspense>
        </div>
      </Card>
      <Card title={text('invite.condition')}>
        <Meter label={text('invite.condition')} have={own.have} need={own.need} />
        <dl className="facts facts-inline">
          <Fact name={text('mine.stake.have')}>
            <dd>
              <Amount units={own.have} />
            </dd>
          </Fact>
          <Fact name={text('mine.stake.need')}>
            <dd>
              <Amount units={own.need} />
            </dd>
          </Fact>
        </dl>
        {own.isMet === true && <Notice tone="success">{text('invite.active')}</Notice>}
      </Card>
      <Suspense fallback={null}>
        <InvitedMiners link={link} rewards={rewards} />
      </Suspense>
      <MyAgent />
      <Card title={text('invite.how')}>
        <p>{text('invite.howText', { share, half })}</p>
        <p className="muted small">{text('invite.oneLevel')}</p>
      </Card>
    </Page>
  )
}

/** The figure of this screen: what came by invitations, as far as it is known. */
function EarnedByInvitations({ miners, count, isComplete, why }: InvitedRewards): ReactNode {
  const { language } = useTexts()
  const later = useLaterTexts()
  if (later === null) return null
  return (
    <div className="hero" data-invited="total">
      <p className="hero-label">{later('invited.total')}</p>
      <HeroAmount
        units={miners?.reduce((sum, { units }) => sum + units, 0n) ?? (why === null ? undefined : null)}
      />
      {why !== null && <p className="muted small">{later('invited.failed')}</p>}
      {count > MAX_REWARDS && (
        <p className="muted small">
          {later('invited.newest', { rewards: countText(MAX_REWARDS, language) })}
        </p>
      )}
      {!isComplete && why === null && <p className="muted small">{later('invited.partial')}</p>}
    </div>
  )
}

function MyAgent(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const engine = useEngine()
  const { address } = useMiner()
  const agent = engine?.agent ?? null
  return (
    <Card title={text('invite.agent')}>
      {agent === null ? (
        <p>{text('invite.noAgent')}</p>
      ) : (
        <>
          <p>
            <ShortHash hash={agent} explorer={brand.network.explorer} kind="account" />
          </p>
          <Suspense fallback={null}>
            <CameBy agentCode={encodeReferralCode(agent)} />
          </Suspense>
          <Suspense fallback={null}>
            <ReferrerAnswers own={address} agent={agent} />
          </Suspense>
        </>
      )}
      {brand.referral.userCanChange && (
        <Link href="/invite/agent" className="link-row">
          <span>{text('agent.change')}</span>
          <Icon name="next" />
        </Link>
      )}
    </Card>
  )
}
