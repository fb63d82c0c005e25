import { type ReactNode, type RefObject, useId, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { legalTexts } from '../app/consent.ts'

/** Links to terms and privacy policy in the language of the app. */
export function LegalLinks(): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const { terms, privacy } = legalTexts(brand, language)
  return (
    <p className="consent-links">
      {terms !== null && (
        <a href={terms} target="_blank" rel="noopener noreferrer">
          {text('legal.terms')}
        </a>
      )}
      {privacy !== null && (
        <a href={privacy} target="_blank" rel="noopener noreferrer">
          {text('legal.privacy')}
        </a>
      )}
    </p>
  )
}

/** Returns the state of the box for the legal texts. Texts at other addresses, as of another language, empty it. */
export function useAgreement(): readonly [isAgreed: boolean, set: (isAgreed: boolean) => void] {
  const { brand } = useApp()
  const { language } = useTexts()
  const { terms, privacy } = legalTexts(brand, language)
  const offered = `${terms} ${privacy}`
  const [agreedTo, setAgreedTo] = useState('')
  return [agreedTo === offered, (isAgreed) => setAgreedTo(isAgreed ? offered : '')]
}

/** A box to tick before going on. */
export function Check({
  label,
  isTicked,
  fault,
  field,
  onTick,
}: {
  readonly label: string
  readonly isTicked: boolean
  /** Sentence below the box; null for none. */
  readonly fault: string | null
  readonly field: RefObject<HTMLInputElement | null>
  readonly onTick: (isTicked: boolean) => void
}): ReactNode {
  const faultId = useId()
  return (
    <>
      <label className="check">
        <input
          ref={field}
          type="checkbox"
          aria-invalid={fault !== null}
          aria-describedby={faultId}
          checked={isTicked}
          onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <p className="fault" id={faultId} role="alert">
        {fault ?? ''}
      </p>
    </>
  )
}
