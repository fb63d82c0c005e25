import { type InputHTMLAttributes, type ReactNode, useId, useLayoutEffect, useRef } from 'react'

/** A labelled input with help and error. Completion, correction and autofill are off. */
export function Field({
  label,
  help,
  fault,
  aside,
  isLong = false,
  ...rest
}: {
  readonly label: string
  readonly help?: string | undefined
  /** Error to show; null for none. */
  readonly fault?: string | null | undefined
  readonly aside?: ReactNode
  readonly isLong?: boolean | undefined
} & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const id = useId()
  const sentence = useRef<HTMLParagraphElement>(null)
  // A field at the bottom of a small screen would be hidden by the tabs.
  useLayoutEffect(() => {
    if (fault) sentence.current?.scrollIntoView({ block: 'nearest' })
  }, [fault])
  const described = [help === undefined ? '' : `${id}-help`, fault ? `${id}-fault` : ''].join(' ').trim()
  const common = {
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    ...rest,
    id,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': described === '' ? undefined : described,
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-row">
        {isLong ? <textarea {...(common as object)} rows={3} /> : <input {...common} />}
        {aside}
      </div>
      {help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <p className="fault" id={`${id}-fault`} role="alert" ref={sentence}>
        {fault ?? ''}
      </p>
    </div>
  )
}
