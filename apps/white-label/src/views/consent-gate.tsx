import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { isAgeDue, isVersionDue } from '../app/consent.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Check, LegalLinks } from '../parts/legal-parts.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'

/** Places that need no consent: the person's own coins, key and settings. */
const free = ['/wallet', '/tx/', '/more', '/unlock']

/** Stands before the app while its terms or its age wait for an answer. Mining stops, coins and key stay in reach. */
export function ConsentGate({ children }: { readonly children: ReactNode }): ReactNode {
  const { host } = useApp()
  const [path] = useLocation()
  const isWanted = useEngine()?.run.isWanted === true
  useEffect(() => {
    if (isWanted) host.miner.stop().catch(() => undefined)
  }, [isWanted, host])
  return free.some((start) => path.startsWith(start)) ? children : <ConsentView />
}

function ConsentView(): ReactNode {
  const { brand, preferences } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { consent } = usePreferences()
  const [isAgreed, setAgreed] = useState(false)
  const [isOld, setOld] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const terms = useRef<HTMLInputElement>(null)
  const years = useRef<HTMLInputElement>(null)
  if (later === null) {
    return (
      <main id="content" className="page">
        <SkeletonRows count={4} />
      </main>
    )
  }
  const { version, minimumAge: age } = brand.legal
  const needsTerms = isVersionDue(brand, consent)
  const needsAge = isAgeDue(brand, consent)

  function accept(): void {
    setAsked(true)
    const [missing] = [needsTerms && !isAgreed && terms, needsAge && !isOld && years].filter(
      (one) => one !== false,
    )
    if (missing !== undefined) missing.current?.focus()
    else preferences.set({ consent: { version, age: age ?? consent?.age ?? 0, atMs: Date.now() } })
  }

  return (
    <Page title={later('consent.title')}>
      <Card>
        {needsTerms && <p>{later('consent.version', { version: version ?? '' })}</p>}
        <LegalLinks />
        {needsTerms && (
          <Check
            label={text('welcome.consent')}
            isTicked={isAgreed}
            fault={isAsked && !isAgreed ? text('welcome.consentFirst') : null}
            field={terms}
            onTick={setAgreed}
          />
        )}
        {needsAge && (
          <>
            <p>{later('consent.ageText', { age: age ?? 0 })}</p>
            <Check
              label={later('consent.age', { age: age ?? 0 })}
              isTicked={isOld}
              fault={isAsked && !isOld ? later('consent.ageFirst') : null}
              field={years}
              onTick={setOld}
            />
          </>
        )}
        <div className="actions">
          <button type="button" className="button button-primary" onClick={accept}>
            {later('consent.accept')}
          </button>
        </div>
      </Card>
      <Card title={later('consent.without')}>
        <p>{later('consent.withoutText')}</p>
        <div className="actions actions-row">
          <Link href="/wallet" className="button">
            {text('tabs.wallet')}
          </Link>
          <Link href="/more/security" className="button">
            {text('more.security')}
          </Link>
        </div>
      </Card>
    </Page>
  )
}
