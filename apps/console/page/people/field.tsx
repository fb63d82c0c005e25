import type { JSX } from 'preact'

/** A labelled input that its form holds. */
export const Field = ({
  label,
  ...input
}: { readonly label: string } & JSX.IntrinsicElements['input']): JSX.Element => (
  <label>
    {label} <input spellcheck={false} required {...input} />
  </label>
)

export function RoleField({
  roles,
  value,
}: {
  readonly roles: readonly string[]
  readonly value?: string
}): JSX.Element {
  return (
    <label>
      Role{' '}
      <select name="role" defaultValue={value}>
        {roles.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </select>
    </label>
  )
}

/** Returns the texts of a form by the names of its fields, and keeps the browser from sending them. */
export function takeFields(event: Event): Readonly<Record<string, string>> {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}
