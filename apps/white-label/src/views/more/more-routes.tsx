import type { ReactNode } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useApp } from '../../app/app-context.ts'
import { loaded } from '../../parts/loaded.tsx'
import { BackupView } from './backup-view.tsx'
import { BrandScreenView } from './brand-screen-view.tsx'
import { AboutView, DiagnosticsView, LegalView } from './help-views.tsx'
import { NetworkView } from './network-view.tsx'
import { PolicyView } from './policy-view.tsx'
import { SecurityView } from './security-view.tsx'
import { AppearanceView, LanguageView, NotificationsView } from './settings-views.tsx'
import { StatisticsView } from './statistics-view.tsx'

const AccountsView = loaded(() => import('../accounts/accounts-view.tsx'), 'AccountsView')
const AddAccountView = loaded(() => import('../accounts/add-account-view.tsx'), 'AddAccountView')

export function MoreRoutes(): ReactNode {
  const { features } = useApp().brand
  return (
    <Switch>
      {features.multiAccount && <Route path="/more/accounts" component={AccountsView} />}
      {features.multiAccount && <Route path="/more/accounts/add" component={AddAccountView} />}
      <Route path="/more/security" component={SecurityView} />
      <Route path="/more/backup" component={BackupView} />
      {APP_MINES && <Route path="/more/policy" component={PolicyView} />}
      {APP_MINES && <Route path="/more/notifications" component={NotificationsView} />}
      <Route path="/more/language" component={LanguageView} />
      <Route path="/more/appearance" component={AppearanceView} />
      <Route path="/more/network" component={NetworkView} />
      {features.stats && <Route path="/more/statistics" component={StatisticsView} />}
      {features.diagnostics && <Route path="/more/diagnostics" component={DiagnosticsView} />}
      <Route path="/more/legal" component={LegalView} />
      <Route path="/more/screens/:name">{({ name }) => <BrandScreenView name={name} />}</Route>
      <Route path="/more/about" component={AboutView} />
      <Route>
        <Redirect to="/more" replace />
      </Route>
    </Switch>
  )
}
