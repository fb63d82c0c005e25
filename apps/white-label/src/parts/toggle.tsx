import { Switch } from 'radix-ui'
import { type ReactNode, useId } from 'react'

/** An on/off switch. */
export function Toggle({
  label,
  help,
  isOn,
  isFixed = false,
  onChange,
}: {
  readonly label: string
  readonly help?: string | undefined
  readonly isOn: boolean
  /** True for a switch that nobody can move. */
  readonly isFixed?: boolean | undefined
  readonly onChange: (isOn: boolean) => void
}): ReactNode {
  const id = useId()
  return (
    <div className="toggle-row">
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <p className="help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
      <Switch.Root
        id={id}
        className="toggle"
        checked={isOn}
        disabled={isFixed}
        onCheckedChange={onChange}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
      >
        <Switch.Thumb className="toggle-thumb" />
      </Switch.Root>
    </div>
  )
}
