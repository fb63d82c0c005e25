import type { ReactNode } from 'react'
import { useStoredRewards } from '../../app/use-stored-rewards.ts'
import { isAddedByHand, useInstall } from '../../host/use-install.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { RowFace } from './row.tsx'

/** Row that installs the app, or says how: after the first reward, and where that is possible. */
export function InstallRow(): ReactNode {
  const later = useLaterTexts()
  const install = useInstall()
  const { first, end } = useStoredRewards()
  if (later === null || end === first) return null
  if (install !== null) {
    return (
      <li>
        <button type="button" className="link-row" onClick={() => void install()}>
          <RowFace icon="install">{later('install.title')}</RowFace>
        </button>
      </li>
    )
  }
  return (
    isAddedByHand() && (
      <li className="link-row">
        <RowFace icon="install">
          <span>{later('install.title')}</span>
          <span className="muted small">{later('install.byHand')}</span>
        </RowFace>
      </li>
    )
  )
}
