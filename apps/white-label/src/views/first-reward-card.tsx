import '../style/moment.css'
import { type RewardRow, useMiner } from '@hailstone/react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { canInstall } from '../host/use-install.ts'
import { vibrate } from '../host/vibrate.ts'
import { Art } from '../parts/art.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Icon } from '../parts/icon.tsx'
import { ShareCardButton } from '../parts/share-card-button.tsx'
import { InstallNotice } from './install-notice.tsx'

const MARKS = 12

/** Address whose reward was announced in this page: coming back to the view says and moves nothing again. */
let announced = ''

type Given = { readonly reward: RewardRow; readonly onClose: () => void }

/** The first reward of an account and, once it is closed, the one offer to install the app. */
export function FirstRewardCard({ reward, onClose }: Given): ReactNode {
  const { preferences } = useApp()
  const { offersInstall } = usePreferences()
  const { address } = useMiner()
  const answer = (): void => {
    preferences.set({ offersInstall: false })
    onClose()
  }
  const close = (): void => {
    if (offersInstall === undefined && canInstall()) preferences.set({ offersInstall: address })
    else onClose()
  }
  return offersInstall === address ? (
    <InstallNotice onAnswer={answer} />
  ) : (
    <Celebration reward={reward} onClose={close} />
  )
}

/** The reward with a picture to share. */
function Celebration({ reward, onClose }: Given): ReactNode {
  const { brand, announce, preferences } = useApp()
  const { text } = useTexts()
  const { decimals, symbol, format, short } = useMoney()
  const account = useEngine()?.account
  const isUnsafe = account?.status === 'open' && !account.isBackedUp
  const title = text('rewards.first.title')
  const amount = format(reward.amount)
  const { address } = useMiner()
  const [isNew] = useState(announced !== address)
  useEffect(() => {
    if (!isNew || announced === address) return
    announced = address
    announce(`${title}. ${amount}`)
    if (preferences.snapshot().vibrates !== false) vibrate([10, 60, 20])
  }, [announce, title, amount, address, isNew, preferences])
  return (
    <section className="card moment" aria-label={title}>
      <div className="moment-art">
        {isNew &&
          Array.from({ length: MARKS }, (_, at) => (
            <span key={at} className="moment-mark" aria-hidden="true" />
          ))}
        <Art name="firstReward" />
      </div>
      <h2>{title}</h2>
      <button type="button" className="icon-button" aria-label={text('common.close')} onClick={onClose}>
        <Icon name="cross" />
      </button>
      <div className="moment-rest">
        <HeroAmount units={reward.amount} sign="+" />
        <p className="muted small">{text('rewards.first.text')}</p>
        <div className="actions actions-row">
          {decimals !== null && (
            <ShareCardButton
              name={`${brand.id}-first-reward.png`}
              card={{
                title,
                figure: `+${short(reward.amount)}`,
                line: text('rewards.first.shareText', { symbol, app: brand.app.name }),
                code: null,
              }}
            />
          )}
          {isUnsafe && (
            <Link href="/more/backup" className="button" onClick={onClose}>
              {text('backup.title')}
            </Link>
          )}
          <Link href={`/rewards/${reward.index}`} className="button button-quiet" onClick={onClose}>
            {text('rewards.detail')}
          </Link>
        </div>
      </div>
    </section>
  )
}
