import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { type ReactNode, useRef, useState } from 'react'
import { useApp, usePreferences, useTexts } from '../../app/app-context.ts'
import { useAsker } from '../../app/use-asker.ts'
import { languageName } from '../../i18n/languages.ts'
import { BrandLogo } from '../../parts/brand-logo.tsx'
import { Check, LegalLinks } from '../../parts/legal-parts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'

/** Introduction, legal links, and the choice between a new and an existing account. */
export function WelcomeStep({
  lost,
  isOutdated,
  isAgreed,
  onAgree,
  onNew,
  onImport,
}: {
  readonly lost: readonly string[]
  /** True if an account was removed because it had been stored without protection. */
  readonly isOutdated: boolean
  readonly isAgreed: boolean
  readonly onAgree: (isAgreed: boolean) => void
  /** Called when a new account needs a passphrase. */
  readonly onNew: () => void
  readonly onImport: () => void
}): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const { invitedBy } = usePreferences()
  const ask = useAsker()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const consent = useRef<HTMLInputElement>(null)
  const { terms, privacy } = brand.links
  const needsConsent = terms !== null || privacy !== null
  const symbol = brand.token.display.symbol ?? brand.token.ticker ?? ''

  const mayGoOn = !needsConsent || isAgreed
  const asksConsent = isAsked && !mayGoOn

  /** Goes on, or leads to what has to be accepted first. */
  function goOn(next: () => void): void {
    if (mayGoOn) next()
    else {
      setAsked(true)
      consent.current?.focus()
    }
  }

  async function create(): Promise<void> {
    setBusy(true)
    try {
      await ask((signal) => host.account.prepare(undefined, signal))
      onNew()
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }

  return (
    <SetupFrame
      title={text('welcome.title', { app: brand.app.name })}
      hero={heroOf(brand, text('welcome.text', { symbol }))}
    >
      <LanguagePicker />
      {lost.length > 0 && <Notice tone="danger">{text('welcome.lost', { count: lost.length })}</Notice>}
      {isOutdated && <Notice tone="warning">{text('welcome.outdated')}</Notice>}
      {invitedBy !== null && brand.referral.enabled && (
        <Notice tone="success">{text('welcome.invited')}</Notice>
      )}
      <LockedValues />
      {needsConsent && (
        <div className="consent">
          <Check
            label={text('welcome.consent')}
            isTicked={isAgreed}
            fault={asksConsent ? text('welcome.consentFirst') : null}
            field={consent}
            onTick={onAgree}
          />
          <LegalLinks />
        </div>
      )}
      {fault !== null && (
        <Notice tone="danger" role="alert">
          {fault}
        </Notice>
      )}
      <div className="actions">
        <button
          type="button"
          className="button button-primary"
          disabled={isBusy}
          onClick={() => goOn(() => void create())}
        >
          {text('welcome.create')}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => goOn(onImport)}>
          {text('welcome.import')}
        </button>
      </div>
      <p className="muted small">{text('legal.disclaimer')}</p>
    </SetupFrame>
  )
}

/** Returns what stands above and below the title. */
function heroOf({ assets, app }: RuntimeBrand, lead: string) {
  const art = assets.art.welcome
  return {
    above: art === null ? <BrandLogo /> : <img className="art-welcome" src={`/brand/${art}`} alt="" />,
    below: (
      <>
        <p className="lead">{lead}</p>
        {app.tagline !== null && (
          <p className="muted" dir="auto">
            {app.tagline}
          </p>
        )}
      </>
    ),
  }
}

/** Settings that the brand fixed, shown before the person begins. */
function LockedValues(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const { locked, referral, token, network } = brand
  if (locked.length === 0) return null
  const agent = referral.defaultAgent
  return (
    <details className="details">
      <summary>{text('welcome.locked')}</summary>
      <dl className="facts">
        <dt>{text('about.token')}</dt>
        <dd className="hash">{token.hash}</dd>
        {locked.includes('network') && (
          <>
            <dt>{text('more.network')}</dt>
            <dd className="hash">{network.api}</dd>
          </>
        )}
        {locked.includes('agent') && agent !== null && (
          <>
            <dt>{text('invite.agent')}</dt>
            <dd className="hash">{agent}</dd>
          </>
        )}
      </dl>
    </details>
  )
}

function LanguagePicker(): ReactNode {
  const { brand, setLanguage } = useApp()
  const { text, language } = useTexts()
  const tags = brand.i18n.enabled
  if (tags.length < 2) return null
  return (
    <label className="picker">
      <span>{text('more.language')}</span>
      <select value={language} onChange={({ currentTarget }) => void setLanguage(currentTarget.value)}>
        {tags.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languageName(tag)}
          </option>
        ))}
      </select>
    </label>
  )
}
