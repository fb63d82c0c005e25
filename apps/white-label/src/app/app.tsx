import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Splash } from '../parts/splash.tsx'
import { Announcer } from './announcer.tsx'
import { useApp, useEngine, useTexts } from './app-context.ts'

const Opened = loaded(() => import('./opened.tsx'), 'Opened')
const SetupView = loaded(() => import('../views/setup/setup-view.tsx'), 'SetupView')

/** Chooses between the loading screen, a failed engine, the first run and the app. */
export function Root(): ReactNode {
  const { host } = useApp()
  const engine = useEngine()
  const fault = useSyncExternalStore(host.engine.subscribe, host.engine.fault, host.engine.fault)
  useInviteLink()
  if (fault !== null) return <EngineFault message={fault.message} code={fault.code} />
  if (engine === null) return <Splash on="engine" />
  const { account, snapshot } = engine
  if (account.status === 'none' || account.status === 'setup') {
    return (
      <div className="frame frame-setup">
        <Announcer />
        <Suspense fallback={<Splash on="files" />}>
          <SetupView />
        </Suspense>
      </div>
    )
  }
  if (snapshot === null) return <Splash on="engine" />
  return (
    <Suspense fallback={<Splash on="files" />}>
      <Opened />
    </Suspense>
  )
}

/** Stores the referral code and the campaign of a link until the person accepts or dismisses it. */
function useInviteLink(): void {
  const { preferences } = useApp()
  const [path, go] = useLocation()
  useEffect(() => {
    const code = /^\/i\/(ref_[0-9a-zA-Z]{1,80})\/?$/.exec(path)?.[1]
    if (code === undefined) return
    preferences.set({ invitedBy: { code, campaign: new URLSearchParams(location.hash.slice(1)).get('c') } })
    go('/', { replace: true })
  }, [path, preferences, go])
}

function EngineFault({ message, code }: { readonly message: string; readonly code: string }): ReactNode {
  const { text } = useTexts()
  // A worker that has started runs in this browser, so the browser is not the cause.
  const hasBegun = code.startsWith('WORKER_')
  return (
    <main id="content" className="page splash">
      <h1>{text(hasBegun ? 'late.failed' : 'common.broken')}</h1>
      {!hasBegun && (
        <Notice tone="danger" role="alert">
          {text('common.brokenText')}
        </Notice>
      )}
      <p className="muted small" lang="en">
        {code}: {message}
      </p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {text('common.retry')}
      </button>
    </main>
  )
}
