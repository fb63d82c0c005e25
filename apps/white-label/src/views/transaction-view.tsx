import type { Hash } from '@hailstone/protocol'
import { useMiner, usePayments } from '@hailstone/react'
import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { repeatedNo } from '../app/repeated-no.ts'
import type { RemoteClient } from '../host/mining-host.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { Amount } from '../parts/amount.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loading } from '../parts/loading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { PaymentTimeline } from './payment-timeline.tsx'

type Found = Awaited<ReturnType<RemoteClient['getTransaction']>>

/** One transaction: a payment of this browser with its timeline, or the network's record of another one. */
export function TransactionView({ hash }: { readonly hash: string }): ReactNode {
  const { text } = useTexts()
  const payment = usePayments().find((one) => one.hash === hash || one.id === hash)
  return (
    <Page title={text('tx.title')} back="/wallet">
      {payment === undefined ? <Foreign key={hash} hash={hash} /> : <PaymentTimeline payment={payment} />}
    </Page>
  )
}

const statusKeys: Readonly<Record<string, TextKey>> = {
  confirmed: 'tx.confirmed',
  rejected: 'tx.rejected',
  duplicate: 'tx.duplicate',
}

function Foreign({ hash }: { readonly hash: string }): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const { tokenId: ourTokenId, height } = useMiner()
  const [found, setFound] = useState<Found | 'loading' | 'failed'>('loading')
  const at = height?.value ?? 0
  useEffect(() => {
    let isOver = false
    const tell = (next: Found | 'failed'): void => {
      // Keep the last reading. A transaction that was not found may be in the next block.
      if (!isOver) setFound((before) => (next === 'failed' && typeof before === 'object' ? before : next))
    }
    if (!/^[0-9a-fA-F]{64}$/.test(hash)) return tell(undefined)
    const ask = () => host.client.getTransaction({ hash: hash.toLowerCase() as Hash })
    repeatedNo(ask, (answer) => answer === undefined).then(tell, () => tell('failed'))
    return () => {
      isOver = true
    }
  }, [host, hash, at])
  if (found === 'loading') return <Loading on="network" />
  if (found === 'failed') return <Notice tone="warning">{text('common.apiDown')}</Notice>
  if (found === undefined) return <p className="empty">{text('tx.unknown')}</p>
  const { from, to, tokenId, grossAmount, status, data } = found
  const isOurs = tokenId === ourTokenId
  return (
    <Facts
      rows={[
        [text('tx.status'), text(statusKeys[status] ?? 'tx.unknown')],
        [text('tx.from'), <AddressBlocks key="from" address={from} />],
        [text('send.to'), <AddressBlocks key="to" address={to} />],
        // The decimals of another token are unknown here, so its amount is not shown.
        [text('wallet.sent'), <Amount key="sent" units={isOurs ? grossAmount : null} isWhole />],
        !isOurs && [
          text('about.token'),
          <bdi key="token" className="hash">
            {tokenId}
          </bdi>,
        ],
        data !== '' && [
          text('send.memo'),
          <bdi key="memo" className="hash">
            {data}
          </bdi>,
        ],
        [
          text('tx.hash'),
          <bdi key="hash" className="hash">
            {hash}
          </bdi>,
        ],
      ]}
    />
  )
}
