import { useMiner } from '@hailstone/react'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { claimLink } from '../app/claim-link.ts'
import { hasFaucet } from '../app/faucet.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { TestCoins } from './test-coins.tsx'

/**
 * Ways to get the missing coins: first ones of the publisher, a faucet on test networks, a shop, or another person. The
 * first of them that there is stands out.
 */
export function GetCoins(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const opens = useId()
  const { address } = useMiner()
  const claim = claimLink(brand, address)
  const isShopFirst = claim === null && !hasFaucet(brand.network)
  const isReceiveFirst = isShopFirst && !(brand.features.buy && brand.links.buy.length > 0)
  return (
    <div className="get-coins">
      {claim !== null && (
        <>
          <a
            className="button button-primary"
            href={claim}
            aria-describedby={opens}
            target="_blank"
            rel="noopener noreferrer"
          >
            {text('coins.claim')}
          </a>
          <p id={opens} className="muted small">
            {later?.('coins.opens', { host: new URL(claim).host }) ?? ''}
          </p>
        </>
      )}
      <TestCoins isPrimary={claim === null} />
      {brand.features.buy &&
        brand.links.buy.map(({ label, url }, at) => (
          <a
            key={url}
            className={isShopFirst && at === 0 ? 'button button-primary' : 'button'}
            href={url}
            target="_blank"
            rel="noopener noreferrer"
          >
            {text('wallet.buyAt', { place: label })}
          </a>
        ))}
      {brand.features.receive && (
        <Link href="/wallet/receive" className={isReceiveFirst ? 'button button-primary' : 'button'}>
          {text('wallet.receive')}
        </Link>
      )}
    </div>
  )
}
