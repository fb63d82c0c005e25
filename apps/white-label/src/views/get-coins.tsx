import { useMiner } from '@hailstone/react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { claimLink } from '../app/claim-link.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import type { TextKey } from '../i18n/texts.ts'
import { ActionButton } from '../parts/busy-button.tsx'

/** Ways to get the missing coins: first ones of the publisher, a faucet on test networks, a shop, or another person. */
export function GetCoins(): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const opens = useId()
  const { address } = useMiner()
  const claim = claimLink(brand, address)
  const [answer, setAnswer] = useState<TextKey | null>(null)
  const { faucet, api, nativeToken } = brand.network
  // A faucet on its own host is opened in the browser. That of a local network is called here and sends native coins.
  const isOwn = faucet?.startsWith(api) === true && nativeToken === brand.token.hash

  async function ask(): Promise<void> {
    setAnswer('faucet.asking')
    try {
      const isSent = await host.client.requestTestCoins({ address })
      setAnswer(isSent ? 'faucet.sent' : 'faucet.refused')
    } catch {
      setAnswer('faucet.failed')
    }
  }
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
      {faucet !== null &&
        (isOwn ? (
          <ActionButton className="button" act={ask}>
            {text('faucet.ask')}
          </ActionButton>
        ) : (
          faucet.startsWith('https:') && (
            <a className="button" href={faucet} target="_blank" rel="noopener noreferrer">
              {text('faucet.ask')}
            </a>
          )
        ))}
      {brand.features.buy &&
        brand.links.buy.map(({ label, url }) => (
          <a key={url} className="button" href={url} target="_blank" rel="noopener noreferrer">
            {text('wallet.buyAt', { place: label })}
          </a>
        ))}
      {brand.features.receive && (
        <Link href="/wallet/receive" className="button">
          {text('wallet.receive')}
        </Link>
      )}
      <p role="status" className="muted small">
        {answer === null ? '' : text(answer)}
      </p>
    </div>
  )
}
