import { useMiner } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
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
          onClick={() => void host.leader.resync(undefined).then(() => announce(text('network.resynced')))}
        >
          {text('network.resync')}
        </button>
      </Card>
    </Page>
  )
}
