import { type ReactNode, useState } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../../app/app-context.ts'
import { acceptedTerms } from '../../app/consent.ts'
import { diagnosticsText } from '../../app/diagnostics-text.ts'
import { version } from '../../app/version.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { BrandLogo } from '../../parts/brand-logo.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { LegalLinks } from '../../parts/legal-parts.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { SaveButton } from '../../parts/save-button.tsx'
import { dayText } from '../../text/time-text.ts'

export function DiagnosticsView(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const engine = useEngine()
  if (engine === null) return null
  const report = diagnosticsText({ brand, engine, version, userAgent: navigator.userAgent })
  return (
    <Page title={text('more.diagnostics')} back="/more">
      <p>{text('diagnostics.text')}</p>
      <div className="actions actions-row">
        <SaveButton
          className="button"
          name={`${brand.id}-diagnostics.json`}
          type="application/json"
          read={async () => report}
        >
          {text('diagnostics.save')}
        </SaveButton>
        <CopyButton value={report} label={text('diagnostics.copy')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="report" tabIndex={0} aria-label={text('more.diagnostics')}>
        <pre dir="ltr" lang="en">
          {report}
        </pre>
      </section>
    </Page>
  )
}

export function LegalView(): ReactNode {
  const { text } = useTexts()
  return (
    <Page title={text('more.legal')} back="/more">
      <Card>
        <p>{text('legal.disclaimer')}</p>
        <p>{text('legal.whatItDoes')}</p>
        <p>{text('legal.noTelemetry')}</p>
        <LegalLinks />
        <Given />
      </Card>
    </Page>
  )
}

/** Says which version was accepted here last, and when, and which age was confirmed. */
function Given(): ReactNode {
  const { language } = useTexts()
  const { consent } = usePreferences()
  const later = useLaterTexts()
  if (later === null) return null
  const last = acceptedTerms(consent).at(-1)
  const age = consent?.age?.years
  const date = last && dayText(last.atMs, language)
  const sentences = [
    date &&
      (last.version === null
        ? later('consent.given', { date })
        : later('consent.givenVersion', { version: last.version, date })),
    age && later('consent.givenAge', { age }),
  ].filter(Boolean)
  return sentences.length > 0 && <p className="muted small">{sentences.join(' ')}</p>
}

export function AboutView(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const { app, token, network, referral, locked, configHash, environment } = brand
  return (
    <Page title={text('about.title', { app: app.name })} back="/more">
      <BrandLogo />
      <Card>
        <dl className="facts">
          {app.publisher !== null && (
            <>
              <dt>{text('about.publisher')}</dt>
              <dd>{app.publisher}</dd>
            </>
          )}
          {app.homepage !== null && (
            <>
              <dt>{text('about.homepage')}</dt>
              <dd>
                <a href={app.homepage} target="_blank" rel="noopener noreferrer">
                  {app.homepage}
                </a>
              </dd>
            </>
          )}
          {app.supportEmail !== null && (
            <>
              <dt>{text('more.support')}</dt>
              <dd>
                <a href={`mailto:${app.supportEmail}`}>{app.supportEmail}</a>
              </dd>
            </>
          )}
          <dt>{text('about.version')}</dt>
          <dd>
            <bdi dir="ltr">{version}</bdi>
          </dd>
          <dt>{text('about.environment')}</dt>
          <dd>{environment}</dd>
          <dt>{text('about.configHash')}</dt>
          <dd className="hash">{configHash}</dd>
        </dl>
      </Card>
      <Card title={text('about.locked')}>
        <p className="muted">{text('about.lockedText')}</p>
        <dl className="facts">
          <dt>{text('about.token')}</dt>
          <dd className="hash">{token.hash}</dd>
          {locked.includes('network') && (
            <>
              <dt>{text('more.network')}</dt>
              <dd className="hash">{network.api}</dd>
            </>
          )}
          {locked.includes('agent') && referral.defaultAgent !== null && (
            <>
              <dt>{text('invite.agent')}</dt>
              <dd className="hash">{referral.defaultAgent}</dd>
            </>
          )}
        </dl>
      </Card>
      <Licences />
    </Page>
  )
}

/** Texts of the licences of bundled packages, a file of the build. Read when somebody opens them; kept offline. */
function Licences(): ReactNode {
  const { text } = useTexts()
  const [licences, setLicences] = useState('…')
  const read = (): Promise<void> =>
    fetch('/licenses.txt')
      .then((answer) => answer.text())
      .then(setLicences, () => setLicences('/licenses.txt'))
  return (
    <details className="details" onToggle={() => void read()}>
      <summary>{text('about.licences')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="report" tabIndex={0} aria-label={text('about.licences')}>
        <pre dir="ltr" lang="en">
          {licences}
        </pre>
      </section>
    </details>
  )
}
