import type { Hash } from '@hailstone/protocol'
import { usePayments } from '@hailstone/react'
import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import type { RemoteClient } from '../host/mining-host.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { Amount } from '../parts/amount.tsx'
import { Loading } from '../parts/loading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { PaymentTimeline } from './payment-timeline.tsx'

type Found = Awaited<ReturnType<RemoteClient['getTransaction']>>

/** One transaction: a payment of this browser with its whole way, or what the network says of another one. */
export function TransactionView({ hash }: { readonly hash: string }): ReactNode {
  const { text } = useTexts()
  const payment = usePayments().find((one) => one.hash === hash || one.id === hash)
  return (
    <Page title={text('tx.title')} back="/wallet">
      {payment === undefined ? <Foreign hash={hash} /> : <PaymentTimeline payment={payment} />}
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
  const [found, setFound] = useState<Found | 'loading' | 'failed'>('loading')
  useEffect(() => {
    setFound('loading')
    if (!/^[0-9a-fA-F]{64}$/.test(hash)) return setFound(undefined)
    host.client.getTransaction({ hash: hash.toLowerCase() as Hash }).then(setFound, () => setFound('failed'))
  }, [host, hash])
  if (found === 'loading') return <Loading />
  if (found === 'failed') return <Notice tone="warning">{text('common.apiDown')}</Notice>
  if (found === undefined) return <p className="empty">{text('tx.unknown')}</p>
  const { from, to, grossAmount, status, data } = found
  return (
    <dl className="facts">
      <dt>{text('tx.status')}</dt>
      <dd>{text(statusKeys[status] ?? 'tx.unknown')}</dd>
      <dt>{text('tx.from')}</dt>
      <dd>
        <AddressBlocks address={from} />
      </dd>
      <dt>{text('send.to')}</dt>
      <dd>
        <AddressBlocks address={to} />
      </dd>
      <dt>{text('send.gross')}</dt>
      <dd>
        <Amount units={grossAmount} />
      </dd>
      {data !== '' && (
        <>
          <dt>{text('send.memo')}</dt>
          <dd className="hash">{data}</dd>
        </>
      )}
      <dt>{text('tx.hash')}</dt>
      <dd className="hash">{hash}</dd>
    </dl>
  )
}
