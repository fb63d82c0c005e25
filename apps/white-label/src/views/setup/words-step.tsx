import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { mayPostponeBackup } from '../../app/backup-rule.ts'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'

/** The twelve words, once they are asked for. */
export function WordList({ words }: { readonly words: readonly string[] | null }): ReactNode {
  const { text } = useTexts()
  const [isShown, setShown] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  // The button that had the focus gave way to them.
  useLayoutEffect(() => list.current?.focus({ preventScroll: true }), [isShown])
  if (words === null) return <Loading />
  if (!isShown) {
    return (
      <button type="button" className="button words-cover" onClick={() => setShown(true)}>
        {text('backup.show')}
      </button>
    )
  }
  return (
    <ol className="words" dir="ltr" translate="no" ref={list} tabIndex={-1}>
      {words.map((word, index) => (
        <li key={index}>{word}</li>
      ))}
    </ol>
  )
}

export function useWords(): readonly string[] | null {
  const { host } = useApp()
  const [words, setWords] = useState<readonly string[] | null>(null)
  useEffect(() => {
    host.account.words().then(setWords, () => setWords(null))
  }, [host])
  return words
}

export function WordsStep(): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const words = useWords()
  return (
    <SetupFrame title={text('backup.title')} step={1}>
      <p>{text('backup.text')}</p>
      <Notice tone="warning">
        {text('backup.warning', { publisher: brand.app.publisher ?? brand.app.name })}
      </Notice>
      <WordList words={words} />
      <div className="actions">
        <button
          type="button"
          className="button button-primary"
          onClick={() => void host.account.setStep('quiz')}
        >
          {text('backup.written')}
        </button>
        {mayPostponeBackup(brand) && (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => void host.account.setStep('lock')}
          >
            {text('backup.later')}
          </button>
        )}
        <button type="button" className="button button-quiet" onClick={() => void host.account.forget()}>
          {text('setup.startOver')}
        </button>
      </div>
    </SetupFrame>
  )
}
