import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Quiz } from '../setup/quiz-step.tsx'
import { useWords, WordList } from '../setup/words-step.tsx'

/** The backup that was put off: the same words, the same questions. */
export function BackupView(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const account = useEngine()?.account
  const words = useWords()
  const [isAsking, setAsking] = useState(false)
  const isDone = (account?.status === 'open' || account?.status === 'locked') && account.isBackedUp
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
          <WordList words={words} />
          <button type="button" className="button button-primary" onClick={() => setAsking(true)}>
            {text('backup.written')}
          </button>
        </>
      )}
    </Page>
  )
}
