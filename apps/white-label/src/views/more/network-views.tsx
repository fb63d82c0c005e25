import { useMiner } from '@hailstone/react'
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import type { RemoteClient } from '../../host/mining-host.ts'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { countText } from '../../text/amount-text.ts'

export function NetworkView(): ReactNode {
  const { brand, host, announce } = useApp()
  const { text, language } = useTexts()
  const { api, height, state } = useMiner()
  const { network } = brand
  const isEncrypted = network.poa[0]?.startsWith('wss:') ?? true
  return (
    <Page title={text('more.network')} back="/more">
      <Card>
        <dl className="facts">
          <dt>{text('network.name')}</dt>
          <dd className="capital">{network.preset}</dd>
          <dt>{text('network.api')}</dt>
          <dd className="hash">{network.api}</dd>
          <dt>{text('network.apiState')}</dt>
          <dd>{text(`network.state.${api.status}`)}</dd>
          <dt>{text('network.gateway')}</dt>
          <dd className="hash">{network.poa[0] ?? '—'}</dd>
          <dt>{text('network.gatewayState')}</dt>
          <dd>{text(`network.session.${state.status}`)}</dd>
          <dt>{text('network.height')}</dt>
          <dd>{height === null ? '—' : countText(height.value, language)}</dd>
        </dl>
        {!isEncrypted && <Notice tone="info">{text('network.notEncrypted')}</Notice>}
      </Card>
      <Card title={text('network.resync')}>
        <p className="muted">{text('network.resyncText')}</p>
        <button
          type="button"
          className="button"
          onClick={() => void host.owner.resync(undefined).then(() => announce(text('network.resynced')))}
        >
          {text('network.resync')}
        </button>
      </Card>
    </Page>
  )
}

type Stats = Awaited<ReturnType<RemoteClient['getStats']>>

/** Whole numbers in groups of three, the rest as it came. */
function figure(value: number | bigint | string, language: string): string {
  if (typeof value !== 'string') return countText(value, language)
  return /^\d+$/.test(value) ? countText(BigInt(value), language) : value
}

/** Figures of the network's operator: to look at, not to compute with. */
export function StatisticsView(): ReactNode {
  const { host } = useApp()
  const { text, language } = useTexts()
  const [stats, setStats] = useState<Stats | 'loading' | 'failed'>('loading')
  useEffect(() => {
    const read = (): void => void host.client.getStats({}).then(setStats, () => setStats('failed'))
    read()
    const timer = setInterval(read, 30_000)
    return () => clearInterval(timer)
  }, [host])
  const rows =
    typeof stats === 'string'
      ? []
      : Object.entries(stats).flatMap(([name, value]) =>
          typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
            ? [[name, figure(value, language)] as const]
            : [],
        )
  return (
    <Page title={text('more.statistics')} back="/more">
      <p className="muted">{text('statistics.text')}</p>
      {stats === 'loading' && <Loading />}
      {stats === 'failed' && <Notice tone="warning">{text('common.apiDown')}</Notice>}
      {typeof stats !== 'string' && rows.length === 0 && <p className="empty">{text('statistics.empty')}</p>}
      {rows.length > 0 && (
        <Card>
          <dl className="facts facts-inline" lang="en">
            {rows.map(([name, value]) => (
              <Fragment key={name}>
                <dt>
                  {name
                    .replaceAll('_', ' ')
                    .replace(/([A-Z])/g, ' $1')
                    .toLowerCase()}
                </dt>
                <dd dir="ltr">{value}</dd>
              </Fragment>
            ))}
          </dl>
        </Card>
      )}
    </Page>
  )
}
