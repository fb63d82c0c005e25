import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useApp, usePreferences, useTexts } from '../app/app-context.ts'
import { isAgeDue, isVersionDue } from '../app/consent.ts'
import { consentWith } from '../app/consent-with.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Check, LegalLinks, useAgreement } from '../parts/legal-parts.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'

/** Stands before the app while its terms or its age wait for an answer. The engine holds mining back meanwhile. */
export function ConsentView(): ReactNode {
  const { brand, preferences } = useApp()
  const { text, language } = useTexts()
  const later = useLaterTexts()
  const { consent } = usePreferences()
  const [isAgreed, setAgreed] = useAgreement()
  const [isOld, setOld] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const terms = useRef<HTMLInputElement>(null)
  const years = useRef<HTMLInputElement>(null)
  if (later === null) {
    return (
      <main id="content" className="page">
        <SkeletonRows on="files" count={4} />
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
    else {
      const terms = needsTerms ? { version, language } : undefined
      const years = needsAge ? (age ?? undefined) : undefined
      preferences.set({ consent: consentWith(consent, { terms, years, atMs: Date.now() }) })
    }
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
        <p>{later(brand.features.send ? 'consent.withoutText' : 'consent.withoutSend')}</p>
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
