import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { useMiner } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../../app/app-context.ts'
import { useModeName } from '../../app/use-mode-name.ts'
import { version } from '../../app/version.ts'
import { brandScreens } from '../../brand/brand-screens.ts'
import type { AccountState } from '../../engine/engine-state.ts'
import type { PauseReason } from '../../engine/mining-policy.ts'
import { canNotify, mayNotify } from '../../host/notify.ts'
import { languageName } from '../../i18n/languages.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import type { TextKey } from '../../i18n/texts.ts'
import { Card, Page } from '../../parts/page.tsx'
import { AccountsLink } from '../accounts/accounts-link.tsx'
import { InstallRow } from './install-row.tsx'
import { Row, type RowIcon, type RowState } from './row.tsx'

type Entry = {
  readonly href: string
  readonly icon: RowIcon
  readonly key: TextKey
  readonly isShown?: boolean
  readonly states?: readonly RowState[]
}

/** Pauses that the settings of the person bring about. */
const ofPolicy: ReadonlySet<PauseReason | null> = new Set<PauseReason>([
  'metered',
  'notCharging',
  'battery',
  'quietHours',
])

/** Returns the rows of the view in groups. */
const groupsOf = (
  brand: RuntimeBrand,
  states: ReturnType<typeof useStates>,
  isBackedUp: boolean,
): readonly { readonly title: TextKey; readonly entries: readonly Entry[] }[] => [
  {
    title: 'more.app',
    entries: [
      { href: '/more/security', icon: 'lock', key: 'more.security', states: states.security },
      { href: '/more/backup', icon: 'copy', key: 'backup.title', isShown: !isBackedUp },
      {
        href: '/more/policy',
        icon: 'clock',
        key: 'more.policy',
        isShown: APP_MINES,
        states: states.policy,
      },
      {
        href: '/more/notifications',
        icon: 'bell',
        key: 'more.notifications',
        isShown: APP_MINES,
        states: states.notifications,
      },
      {
        href: '/more/language',
        icon: 'globe',
        key: 'more.language',
        isShown: brand.i18n.enabled.length > 1,
        states: states.language,
      },
      { href: '/more/appearance', icon: 'contrast', key: 'more.appearance', states: states.appearance },
    ],
  },
  {
    title: 'more.networkGroup',
    entries: [
      { href: '/more/network', icon: 'network', key: 'more.network', states: states.network },
      {
        href: '/more/statistics',
        icon: 'rewards',
        key: 'more.statistics',
        isShown: brand.features.stats,
      },
      {
        href: '/more/diagnostics',
        icon: 'pulse',
        key: 'more.diagnostics',
        isShown: brand.features.diagnostics,
      },
    ],
  },
  {
    title: 'more.helpGroup',
    entries: [
      { href: '/health', icon: 'help', key: 'mine.health.title', isShown: APP_MINES },
      { href: '/more/legal', icon: 'page', key: 'more.legal' },
      { href: '/more/about', icon: 'info', key: 'more.about', states: [{ text: version }] },
    ],
  },
]

export function MoreView(): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const engine = useEngine()
  const account = engine?.account
  const screens = brandScreens(brand, language)
  const isBackedUp = account?.status !== 'open' || account.isBackedUp
  const groups = groupsOf(brand, useStates(), isBackedUp)
  return (
    <Page title={text('tabs.more')}>
      {groups.map(({ title, entries }) => (
        <Card key={title} title={text(title)}>
          <ul className="links">
            {title === 'more.app' && brand.features.multiAccount && <AccountsLink />}
            {entries
              .filter(({ isShown }) => isShown !== false)
              .map(({ key, ...row }) => (
                <Row key={row.href} {...row}>
                  <span>{text(key)}</span>
                </Row>
              ))}
            {title === 'more.app' && <InstallRow />}
          </ul>
        </Card>
      ))}
      {screens.length > 0 && (
        <Card title={brand.app.name}>
          <ul className="links">
            {screens.map((screen) => (
              <Row key={screen.name} href={`/more/screens/${screen.name}`} icon="page">
                <bdi lang={screen.language}>{screen.title}</bdi>
              </Row>
            ))}
          </ul>
        </Card>
      )}
      <Community />
    </Page>
  )
}

/** Links of the brand to people and papers. */
function Community(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const { support, whitepaper, community } = brand.links
  if (support === null && whitepaper === null && community.length === 0) return null
  return (
    <Card title={text('more.community')}>
      <ul className="links">
        {support !== null && (
          <Row href={support} icon="help" isOutside>
            <span>{text('more.support')}</span>
          </Row>
        )}
        {whitepaper !== null && (
          <Row href={whitepaper} icon="page" isOutside>
            <span>{text('more.whitepaper')}</span>
          </Row>
        )}
        {community.map(({ kind, url }) => (
          <Row key={url} href={url} icon="speech" isOutside>
            <span className="capital">{kind}</span>
          </Row>
        ))}
      </ul>
    </Card>
  )
}

/** Returns the state of what each row leads to, as far as the app knows it. */
function useStates(): Readonly<
  Record<'security' | 'policy' | 'notifications' | 'language' | 'appearance' | 'network', readonly RowState[]>
> {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const later = useLaterTexts()
  const engine = useEngine()
  const { mode, notify } = usePreferences()
  const modeName = useModeName()
  const { api } = useMiner()
  const isPaused = engine?.run.isWanted === true && ofPolicy.has(engine.run.pause)
  return {
    security: useSecurity(engine?.account),
    policy: isPaused ? [{ text: text('mine.state.paused') }] : [],
    notifications:
      later !== null && canNotify() ? [{ text: later(notify && mayNotify() ? 'more.on' : 'more.off') }] : [],
    language: [{ text: languageName(language) }],
    appearance: [{ text: modeName(mode) }],
    network:
      api.status === 'unreachable'
        ? [{ text: text('network.state.unreachable'), tone: 'warning' }]
        : [{ text: <span className="capital">{brand.network.preset}</span> }],
  }
}

/** Returns the state of the stored account: its passphrase and its backup. */
function useSecurity(account: AccountState | undefined): readonly RowState[] {
  const { text } = useTexts()
  const later = useLaterTexts()
  if (later === null || (account?.status !== 'open' && account?.status !== 'locked')) return []
  return [
    account.isSealed ? { text: text('lock.passphrase') } : { text: text('lock.skip'), tone: 'warning' },
    account.isBackedUp
      ? { text: later('accounts.backedUp'), tone: 'good' }
      : { text: later('accounts.notBackedUp'), tone: 'warning' },
  ]
}
