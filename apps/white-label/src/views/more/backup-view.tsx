import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Quiz } from '../setup/quiz-step.tsx'
import { Words } from '../setup/words.tsx'

/** Makes the postponed backup: recovery phrase and quiz. */
export function BackupView(): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const engine = useEngine()
  const account = engine?.account
  const [isAsking, setAsking] = useState(false)
  const [isShowing, setShowing] = useState(false)
  const [isOpened, setOpened] = useState(false)
  // Locking the tab removes the phrase from the screen.
  const words = <Words key={engine?.tabLock} onOpen={() => setOpened(true)} />
  // Coming back to this page asks for the passphrase again.
  useEffect(() => () => void host.account.coverWords(), [host])
  const stored = account?.status === 'open' || account?.status === 'locked' ? account : null
  const isDone = stored?.isBackedUp === true
  const title = isAsking && !isDone ? 'backup.quizTitle' : 'backup.title'
  return (
    <Page key={`${title} ${isDone}`} title={text(title)} back="/more">
      {isDone ? (
        <>
          <Notice tone="success" role="status">
            {text('security.backedUp')}
          </Notice>
          <Link href="/" className="button">
            {text('tabs.mine')}
          </Link>
          {stored?.hasWords === true &&
            (isShowing ? (
              words
            ) : (
              <button type="button" className="button button-quiet" onClick={() => setShowing(true)}>
                {text('backup.showAgain')}
              </button>
            ))}
        </>
      ) : isAsking ? (
        <>
          <p>{text('backup.quizText')}</p>
          <Quiz />
          <button type="button" className="button button-quiet" onClick={() => setAsking(false)}>
            {text('backup.showAgain')}
          </button>
        </>
      ) : (
        <>
          <p>{text('backup.text')}</p>
          <Notice tone="warning">
            {text('backup.warning', { publisher: brand.app.publisher ?? brand.app.name })}
          </Notice>
          {words}
          {isOpened && (
            <button type="button" className="button button-primary" onClick={() => setAsking(true)}>
              {text('backup.written')}
            </button>
          )}
        </>
      )}
    </Page>
  )
}
