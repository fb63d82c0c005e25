import { MiningProvider } from '@hailstone/react'
import { type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { Link, Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import type { TextKey } from '../i18n/texts.ts'
import { BrandName } from '../parts/brand-name.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { FailedPart, loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { BackupNotice } from '../views/backup-notice.tsx'
import { MineView } from '../views/mine-view.tsx'
import { OverviewView } from '../views/overview-view.tsx'
import { Announcer } from './announcer.tsx'
import { useApp, useEngine, useOnline, usePreferences, useTexts } from './app-context.ts'
import { mayPostponeBackup } from './backup-rule.ts'
import { isConsentDue, needsNoConsent } from './consent.ts'
import { StateInTitle } from './state-in-title.tsx'
import { useAutoLock } from './use-auto-lock.ts'
import { useKeepAwake } from './use-keep-awake.ts'

const EstimateView = loaded(() => import('../views/estimate-view.tsx'), 'EstimateView')
const HealthView = loaded(() => import('../views/health-view.tsx'), 'HealthView')
const RewardsView = loaded(() => import('../views/rewards-view.tsx'), 'RewardsView')
const RewardDetailView = loaded(() => import('../views/reward-detail-view.tsx'), 'RewardDetailView')
const WalletView = loaded(() => import('../views/wallet-view.tsx'), 'WalletView')
const SendView = loaded(() => import('../views/send-view.tsx'), 'SendView')
const PayoutView = loaded(() => import('../views/payout-view.tsx'), 'PayoutView')
const ReceiveView = loaded(() => import('../views/receive-view.tsx'), 'ReceiveView')
const TransactionView = loaded(() => import('../views/transaction-view.tsx'), 'TransactionView')
const InviteView = loaded(() => import('../views/invite-view.tsx'), 'InviteView')
const AgentView = loaded(() => import('../views/agent-view.tsx'), 'AgentView')
const MoreView = loaded(() => import('../views/more/more-view.tsx'), 'MoreView')
const MoreRoutes = loaded(() => import('../views/more/more-routes.tsx'), 'MoreRoutes')
const LogView = loaded(() => import('../views/log-view.tsx'), 'LogView')
const UnlockView = loaded(() => import('../views/unlock-view.tsx'), 'UnlockView')
const SignInView = loaded(() => import('../views/sign-in-view.tsx'), 'SignInView')
const UpdateBanner = loaded(() => import('../views/update-banner.tsx'), 'UpdateBanner', FailedPart)
const InvitedBanner = loaded(() => import('../views/invited-banner.tsx'), 'InvitedBanner', FailedPart)
const Incidents = loaded(() => import('../views/incidents.tsx'), 'Incidents', FailedPart)
const Notifications = loaded(() => import('./notifications.tsx'), 'Notifications', FailedPart)
const ConsentView = loaded(() => import('../views/consent-view.tsx'), 'ConsentView')
const LockScreen = loaded(() => import('../views/lock-screen.tsx'), 'LockScreen')

/** The app once an account exists. */
export function Opened(): ReactNode {
  const { host } = useApp()
  // Nothing that a view holds of one account is drawn for another.
  const address = useEngine()?.snapshot?.address
  return (
    <MiningProvider key={address} node={host.miner} client={host.client} payments={host.payments}>
      <Gate />
    </MiningProvider>
  )
}

function Gate(): ReactNode {
  const { host, brand } = useApp()
  const { text } = useTexts()
  const engine = useEngine()
  const { consent } = usePreferences()
  const [path] = useLocation()
  useAutoLock()
  useKeepAwake()
  if (engine?.tabLock !== 'open' && brand.security.lock === 'always') {
    return (
      <div className="frame frame-setup">
        <Announcer />
        <LockScreen onUnlock={host.account.unlock} />
      </div>
    )
  }
  return (
    <div className="frame">
      {APP_MINES && <StateInTitle />}
      <a href="#content" className="skip">
        {text('common.skip')}
      </a>
      <Header />
      <Tabs />
      <div className="body">
        <Banners />
        <Suspense
          fallback={
            <main id="content" className="page">
              <h1 className="visually-hidden">{brand.app.name}</h1>
              <SkeletonRows on="files" count={5} />
            </main>
          }
        >
          {isConsentDue(brand, consent) && !needsNoConsent(path) ? <ConsentView /> : <Routes />}
        </Suspense>
      </div>
      <Announcer />
    </div>
  )
}

function Routes(): ReactNode {
  const { brand } = useApp()
  const { features, links, referral } = brand
  const hasInvite = features.invite && referral.enabled
  const search = useSearch()
  return (
    <Switch>
      <Route path="/" component={APP_MINES ? MineView : OverviewView} />
      {APP_MINES && <Route path="/health" component={HealthView} />}
      {APP_MINES && <Route path="/log" component={LogView} />}
      <Route path="/unlock" component={UnlockView} />
      <Route path="/rewards" component={RewardsView} />
      {features.roi && <Route path="/rewards/estimate" component={EstimateView} />}
      <Route path="/rewards/:index">{({ index }) => <RewardDetailView index={index} />}</Route>
      <Route path="/wallet" component={WalletView} />
      {/* A link to pay opens a form of its own, also over another one. */}
      {features.send && (
        <Route path="/wallet/send">
          <SendView key={search} />
        </Route>
      )}
      {features.send && features.payout && <Route path="/wallet/payouts" component={PayoutView} />}
      {features.receive && <Route path="/wallet/receive" component={ReceiveView} />}
      {/* So does a request to sign in: an answer to another one is never given to it. */}
      {links.signIn.length > 0 && (
        <Route path="/sign-in">
          <SignInView key={search} />
        </Route>
      )}
      <Route path="/tx/:hash">{({ hash }) => <TransactionView hash={hash} />}</Route>
      {hasInvite && <Route path="/invite" component={InviteView} />}
      {referral.enabled && referral.userCanChange && <Route path="/invite/agent" component={AgentView} />}
      <Route path="/more" component={MoreView} />
      <Route path="/more/*" component={MoreRoutes} />
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  )
}

function Header(): ReactNode {
  return (
    <header className="header">
      <BrandName />
    </header>
  )
}

/** Views that belong to a tab although their path does not begin with it. */
const ownedBy: Readonly<Record<string, readonly string[]>> = {
  '/': ['/health', '/log', '/unlock'],
  '/wallet': ['/tx/'],
}

type Tab = { readonly href: string; readonly key: TextKey; readonly icon: IconName }

function Tabs(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const [path] = useLocation()
  const tabs: readonly (Tab | false)[] = [
    APP_MINES
      ? { href: '/', key: 'tabs.mine', icon: 'mine' }
      : { href: '/', key: 'tabs.overview', icon: 'overview' },
    { href: '/rewards', key: 'tabs.rewards', icon: 'rewards' },
    { href: '/wallet', key: 'tabs.wallet', icon: 'wallet' },
    brand.features.invite &&
      brand.referral.enabled && { href: '/invite', key: 'tabs.invite', icon: 'invite' },
    { href: '/more', key: 'tabs.more', icon: 'more' },
  ]
  const isCurrent = (href: string): boolean =>
    (href === '/' ? path === '/' : path.startsWith(href)) ||
    (ownedBy[href]?.some((start) => path.startsWith(start)) ?? false)
  return (
    <nav className="tabs" aria-label={text('tabs.label')}>
      {tabs.map(
        (tab) =>
          tab !== false && (
            <Link
              key={tab.href}
              href={tab.href}
              className="tab"
              aria-current={isCurrent(tab.href) ? 'page' : undefined}
            >
              <Icon name={tab.icon} />
              <span>{text(tab.key)}</span>
            </Link>
          ),
      )}
    </nav>
  )
}

/** Notices shown on every screen: reported trouble, missing backup, no network, invitation, new version. */
function Banners(): ReactNode {
  const { brand, updates } = useApp()
  const { text } = useTexts()
  const isOnline = useOnline()
  const hasUpdate = useSyncExternalStore(updates.subscribe, updates.isWaiting, updates.isWaiting)
  const account = useEngine()?.account
  const { invitedBy, notify } = usePreferences()
  const { statusFeed } = brand.links
  const isUnsafe = account?.status === 'open' && !account.isBackedUp
  return (
    <div className="banners">
      {APP_MINES && notify && (
        <Suspense fallback={null}>
          <Notifications />
        </Suspense>
      )}
      {statusFeed !== null && (
        <Suspense fallback={null}>
          <Incidents url={statusFeed} />
        </Suspense>
      )}
      {!isOnline && (
        <Notice tone="warning" role="status">
          {text('common.offline')}
        </Notice>
      )}
      {isUnsafe && (
        <BackupNotice isSmall>
          {text(mayPostponeBackup(brand) ? 'backup.missing' : 'mine.needsBackup')}
        </BackupNotice>
      )}
      {invitedBy !== null && brand.referral.enabled && brand.referral.userCanChange && (
        <Suspense fallback={null}>
          <InvitedBanner />
        </Suspense>
      )}
      {hasUpdate && (
        <Suspense fallback={null}>
          <UpdateBanner />
        </Suspense>
      )}
    </div>
  )
}
