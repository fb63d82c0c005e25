import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { useAsker } from '../../app/use-asker.ts'
import { useHiddenScreen } from '../../host/hide-screen.ts'
import { Loading } from '../../parts/loading.tsx'
import { UnlockForm } from '../unlock-form.tsx'

/** The twelve words, shown on request. */
function WordList({
  words,
  onShown,
}: {
  readonly words: readonly string[] | null
  readonly onShown?: (() => void) | undefined
}): ReactNode {
  const { text } = useTexts()
  const [isShown, setShown] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  // The pressed button is gone: the list takes its focus.
  useLayoutEffect(() => list.current?.focus({ preventScroll: true }), [isShown])
  useHiddenScreen(isShown && words !== null)
  if (words === null) return <Loading on="files" />
  if (!isShown) {
    return (
      <button
        type="button"
        className="button words-cover"
        onClick={() => {
          setShown(true)
          onShown?.()
        }}
      >
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

/** The recovery phrase; asks for the passphrase unless the phrase is being created. */
export function Words({
  onOpen,
  onShown,
}: {
  /** Called when the passphrase was accepted. */
  readonly onOpen?: (() => void) | undefined
  /** Called when the words are on the screen. */
  readonly onShown?: (() => void) | undefined
}): ReactNode {
  const { host } = useApp()
  const ask = useAsker()
  const [words, setWords] = useState<readonly string[] | null>(null)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    ask((signal) => host.account.words(undefined, signal)).then(
      (found) => {
        setWords(found)
        setAsking(found === null)
        if (found !== null) onOpen?.()
      },
      () => setAsking(true),
    )
  }, [host])
  if (!isAsking) return <WordList words={words} onShown={onShown} />
  return (
    <UnlockForm
      onUnlock={host.account.words}
      onDone={(found) => {
        setWords(found)
        setAsking(false)
        onOpen?.()
      }}
    />
  )
}
