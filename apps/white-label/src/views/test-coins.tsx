import { parseTokenId } from '@hailstone/protocol'
import { useMiner } from '@hailstone/react'
import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { hasFaucet, isOwnFaucet } from '../app/faucet.ts'
import { codeOf } from '../host/engine-connection.ts'
import type { TextKey } from '../i18n/texts.ts'
import { ActionButton } from '../parts/busy-button.tsx'

/**
 * Button that requests the stake of the token from the faucet of a local network. A faucet on a host of its own is
 * opened in the browser. Nothing on networks without one.
 */
export function TestCoins({
  as,
  isPrimary = false,
}: {
  /** @default the stake of a miner */
  readonly as?: 'agent' | undefined
  readonly isPrimary?: boolean | undefined
}): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const { address } = useMiner()
  const [answer, setAnswer] = useState<TextKey | null>(null)
  const { faucet, api } = brand.network

  async function ask(): Promise<void> {
    setAnswer('faucet.asking')
    try {
      const isSent = await host.client.requestTestCoins({
        ...{ address, as },
        tokenId: parseTokenId(brand.token.hash),
      })
      setAnswer(isSent ? 'faucet.sent' : 'faucet.refused')
    } catch (error) {
      setAnswer(codeOf(error) === 'HTTP_STATUS' ? 'faucet.refused' : 'faucet.failed')
    }
  }
  const look = isPrimary ? 'button button-primary' : 'button'
  if (isOwnFaucet({ faucet, api })) {
    return (
      <>
        <ActionButton className={look} act={ask}>
          {text('faucet.ask')}
        </ActionButton>
        <p role="status" className="muted small faucet-answer">
          {answer === null ? '' : text(answer)}
        </p>
      </>
    )
  }
  return faucet !== null && hasFaucet({ faucet, api }) ? (
    <a className={look} href={faucet} target="_blank" rel="noopener noreferrer">
      {text('faucet.ask')}
    </a>
  ) : null
}
