import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { brandScreens } from '../../brand/brand-screens.ts'
import type { TextKey } from '../../i18n/texts.ts'
import { Icon } from '../../parts/icon.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { AccountsLink } from '../accounts/accounts-link.tsx'

type Entry = { readonly href: string; readonly key: TextKey; readonly isShown?: boolean }

export function MoreView(): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const account = useEngine()?.account
  const { support, whitepaper, community } = brand.links
  const screens = brandScreens(brand, language)
  const isBackedUp = account?.status !== 'open' || account.isBackedUp
  const groups: readonly { readonly title: TextKey; readonly entries: readonly Entry[] }[] = [
    {
      title: 'more.app',
      entries: [
        { href: '/more/security', key: 'more.security' },
        { href: '/more/backup', key: 'backup.title', isShown: !isBackedUp },
        { href: '/more/policy', key: 'more.policy', isShown: APP_MINES },
        { href: '/more/notifications', key: 'more.notifications', isShown: APP_MINES },
        { href: '/more/language', key: 'more.language', isShown: brand.i18n.enabled.length > 1 },
        { href: '/more/appearance', key: 'more.appearance' },
      ],
    },
    {
      title: 'more.networkGroup',
      entries: [
        { href: '/more/network', key: 'more.network' },
        { href: '/more/statistics', key: 'more.statistics', isShown: brand.features.stats },
        { href: '/more/diagnostics', key: 'more.diagnostics', isShown: brand.features.diagnostics },
      ],
    },
    {
      title: 'more.helpGroup',
      entries: [
        { href: '/health', key: 'mine.health.title', isShown: APP_MINES },
        { href: '/more/legal', key: 'more.legal' },
        { href: '/more/about', key: 'more.about' },
      ],
    },
  ]
  return (
    <Page title={text('tabs.more')}>
      {groups.map(({ title, entries }) => (
        <Card key={title} title={text(title)}>
          <ul className="links">
            {title === 'more.app' && brand.features.multiAccount && <AccountsLink />}
            {entries
              .filter(({ isShown }) => isShown !== false)
              .map(({ href, key }) => (
                <li key={href}>
                  <Link href={href} className="link-row">
                    <span>{text(key)}</span>
                    <Icon name="next" />
                  </Link>
                </li>
              ))}
          </ul>
        </Card>
      ))}
      {screens.length > 0 && (
        <Card title={brand.app.name}>
          <ul className="links">
            {screens.map((screen) => (
              <li key={screen.name}>
                <Link href={`/more/screens/${screen.name}`} className="link-row">
                  <bdi lang={screen.language}>{screen.title}</bdi>
                  <Icon name="next" />
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {(support !== null || whitepaper !== null || community.length > 0) && (
        <Card title={text('more.community')}>
          <ul className="links">
            {support !== null && <Outside href={support} label={text('more.support')} />}
            {whitepaper !== null && <Outside href={whitepaper} label={text('more.whitepaper')} />}
            {community.map(({ kind, url }) => (
              <Outside key={url} href={url} label={kind} />
            ))}
          </ul>
        </Card>
      )}
    </Page>
  )
}

const Outside = ({ href, label }: { readonly href: string; readonly label: string }): ReactNode => (
  <li>
    <a href={href} className="link-row" target="_blank" rel="noopener noreferrer">
      <span className="capital">{label}</span>
      <Icon name="next" />
    </a>
  </li>
)
