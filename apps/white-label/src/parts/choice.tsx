import { RadioGroup } from 'radix-ui'
import { type ReactNode, useId } from 'react'

/** Radio buttons for one of several values. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly options: readonly {
    readonly value: Value
    readonly label: string
    readonly language?: string | undefined
  }[]
  readonly onChange: (value: Value) => void
}): ReactNode {
  const id = useId()
  return (
    <RadioGroup.Root
      className="choice-list"
      aria-label={label}
      value={value}
      onValueChange={(next: string) => onChange(next as Value)}
    >
      {options.map((option) => (
        <div className="choice-row" key={option.value}>
          <RadioGroup.Item className="choice-dot" value={option.value} id={`${id}-${option.value}`}>
            <RadioGroup.Indicator className="choice-mark" />
          </RadioGroup.Item>
          <label htmlFor={`${id}-${option.value}`} lang={option.language}>
            {option.label}
          </label>
        </div>
      ))}
    </RadioGroup.Root>
  )
}
