import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'

/**
 * Renders the step of the first run in which people confirm the brand's minimum age. Pressing "I am younger" shows that
 * the app cannot be used and deletes the stored invitation.
 */
export function AgeStep({
  onBack,
  onConfirm,
}: {
  readonly onBack: () => void
  readonly onConfirm: (years: number) => void
}): ReactNode {
  const { brand, preferences, announce } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const [isYounger, setYounger] = useState(false)
  const age = brand.legal.minimumAge ?? 0
  const { homepage } = brand.app
  const place = brand.links.support ?? homepage
  if (later === null) {
    return (
      <main id="content" className="page">
        <Loading on="files" />
      </main>
    )
  }

  function decline(say: string): void {
    setYounger(true)
    announce(say)
    // Says who invited this person, and by which campaign.
    preferences.set({ invitedBy: null })
  }

  return (
    // Another frame, whose heading takes the focus from the button that goes.
    <SetupFrame key={String(isYounger)} title={later('consent.ageTitle')}>
      <p>{later('consent.ageText', { age })}</p>
      {isYounger && <Notice tone="info">{later('consent.younger')}</Notice>}
      <div className="actions">
        <button
          type="button"
          className={isYounger ? 'button' : 'button button-primary'}
          onClick={() => onConfirm(age)}
        >
          {later('consent.age', { age })}
        </button>
        {!isYounger && (
          <button type="button" className="button" onClick={() => decline(later('consent.younger'))}>
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
