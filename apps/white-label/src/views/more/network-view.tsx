import { useMiner } from '@hailstone/react'
import { Fragment, type ReactNode } from 'react'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { countText } from '../../text/amount-text.ts'
import { IncidentCard } from '../incidents.tsx'

export function NetworkView(): ReactNode {
  const { brand, host, announce } = useApp()
  const { text, language } = useTexts()
  const { api, height, state } = useMiner()
  const gateways = useEngine()?.snapshot?.gateways ?? []
  const { network, links } = brand
  const isEncrypted = network.poa.every((url) => url.startsWith('wss:'))
  // A node that was never started has not chosen among its gateways.
  const used = gateways.find(({ isInUse }) => isInUse)?.url ?? network.poa[0]
  // A node writes addresses as `URL` does, with a slash that brands may leave out.
  const others = network.poa.filter((url) => new URL(url).href !== new URL(used ?? url).href)
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
          <dd className="hash">{used ?? '—'}</dd>
          <dt>{text('network.gatewayState')}</dt>
          <dd>{text(`network.session.${state.status}`)}</dd>
          {others.map((url) => (
            <Fragment key={url}>
              <dt>{text('network.gateway')}</dt>
              <dd>
                <span className="hash">{url}</span> {text('network.state.unused')}
              </dd>
            </Fragment>
          ))}
          <dt>{text('network.height')}</dt>
          <dd>{height === null ? '—' : countText(height.value, language)}</dd>
        </dl>
        {!isEncrypted && <Notice tone="info">{text('network.notEncrypted')}</Notice>}
      </Card>
      {links.statusFeed !== null && <IncidentCard url={links.statusFeed} />}
      <Card title={text('network.resync')}>
        <p className="muted">{text('network.resyncText')}</p>
        <ActionButton
          className="button"
          act={() => host.leader.resync(undefined)}
          onDone={() => announce(text('network.resynced'))}
        >
          {text('network.resync')}
        </ActionButton>
      </Card>
    </Page>
  )
}
