import { parseTokenId } from '@hailstone/protocol'
import { useMiner } from '@hailstone/react'
import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { codeOf } from '../host/engine-connection.ts'
import type { TextKey } from '../i18n/texts.ts'
import { ActionButton } from '../parts/busy-button.tsx'

/**
 * Button that requests the stake of the token from the faucet of a local network. A faucet on a host of its own is
 * opened in the browser. Nothing on networks without one.
 */
export function TestCoins({
  as,
}: {
  /** @default the stake of a miner */
  readonly as?: 'agent' | undefined
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
  if (faucet?.startsWith(api) === true) {
    return (
      <>
        <ActionButton className="button" act={ask}>
          {text('faucet.ask')}
        </ActionButton>
        <p role="status" className="muted small faucet-answer">
          {answer === null ? '' : text(answer)}
        </p>
      </>
    )
  }
  return faucet?.startsWith('https:') === true ? (
    <a className="button" href={faucet} target="_blank" rel="noopener noreferrer">
      {text('faucet.ask')}
    </a>
  ) : null
}
