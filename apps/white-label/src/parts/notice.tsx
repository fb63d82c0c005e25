import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A notice with an optional action. `alert` interrupts screen readers. */
export function Notice({
  tone,
  role,
  children,
  action,
}: {
  readonly tone: 'info' | 'success' | 'warning' | 'danger'
  readonly role?: 'alert' | 'status' | undefined
  readonly children: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <div className={`notice notice-${tone}`} role={role}>
      <Icon name={tone === 'success' ? 'check' : tone === 'info' ? 'info' : 'alert'} />
      <div className="notice-text">{children}</div>
      {action !== undefined && <div className="notice-action">{action}</div>}
    </div>
  )
}
