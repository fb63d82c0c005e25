import type { ReactNode } from 'react'
import { useInstall } from '../host/use-install.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Notice } from '../parts/notice.tsx'

/** Offers to install the app. Shows nothing while the browser does not offer it. */
export function InstallNotice({ onAnswer }: { readonly onAnswer: () => void }): ReactNode {
  const later = useLaterTexts()
  const install = useInstall()
  if (later === null || install === null) return null
  const take = (): void => {
    void install()
    onAnswer()
  }
  return (
    <Notice
      tone="info"
      action={
        <>
          <button type="button" className="button button-small" onClick={take}>
            {later('install.title')}
          </button>
          <button type="button" className="button button-small button-quiet" onClick={onAnswer}>
            {later('install.never')}
          </button>
        </>
      }
    >
      {later('install.text')}
    </Notice>
  )
}
