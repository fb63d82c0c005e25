import { type ReactNode, useState } from 'react'
import { useApp, usePreferences, useTexts } from '../../app/app-context.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'

/** Asks for the age of the brand. Who is younger is told so, and nothing is stored. */
export function AgeStep({ onBack }: { readonly onBack: () => void }): ReactNode {
  const { brand, preferences } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { consent } = usePreferences()
  const [isYounger, setYounger] = useState(false)
  const age = brand.legal.minimumAge ?? 0
  const { homepage } = brand.app
  const place = brand.links.support ?? homepage
  if (later === null) return null
  return (
    <SetupFrame title={later('consent.ageTitle')}>
      <p>{later('consent.ageText', { age })}</p>
      {isYounger && (
        <Notice tone="info" role="status">
          {later('consent.younger')}
        </Notice>
      )}
      <div className="actions">
        <button
          type="button"
          className={isYounger ? 'button' : 'button button-primary'}
          onClick={() =>
            preferences.set({
              consent: { version: brand.legal.version, ...consent, age, atMs: Date.now() },
            })
          }
        >
          {later('consent.age', { age })}
        </button>
        {!isYounger && (
          <button type="button" className="button" onClick={() => setYounger(true)}>
            {later('consent.isYounger')}
          </button>
        )}
        {isYounger && place !== null && (
          <a className="button" href={place} target="_blank" rel="noopener noreferrer">
            {text('more.support')}
          </a>
        )}
        <button type="button" className="button button-quiet" onClick={onBack}>
          {text('common.back')}
        </button>
      </div>
    </SetupFrame>
  )
}
