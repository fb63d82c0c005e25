import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { useAsker } from '../../app/use-asker.ts'
import type { TextKey } from '../../i18n/texts.ts'
import { ActionButton, BusyButton } from '../../parts/busy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { SetupFrame } from './setup-frame.tsx'

const WORDS = 12
const ASKED = 3
/** Words to choose from for each position. */
const OFFERED = 6

/** Draws different places of the phrase, from 0, in random order. */
function drawPlaces(count: number, first: readonly number[] = []): readonly number[] {
  const drawn = new Set<number>(first)
  while (drawn.size < count) drawn.add((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % WORDS)
  return [...drawn]
}

/** Draws three different positions, from 1, ascending. */
const drawPositions = (): readonly number[] =>
  [...drawPlaces(ASKED)].sort((a, b) => a - b).map((place) => place + 1)

/** Draws words of the phrase for a position, the right one among them, in the order of the alphabet. */
const drawOffers = (words: readonly string[], position: number): readonly string[] =>
  [...new Set(drawPlaces(OFFERED, [position - 1]).map((place) => words[place] ?? ''))].sort()

/** Returns words to choose from for each position; null if the phrase is not at hand, and the words are typed. */
function useOffers(positions: readonly number[]): readonly (readonly string[])[] | null {
  const { host } = useApp()
  const ask = useAsker()
  const [offers, setOffers] = useState<readonly (readonly string[])[] | null>(null)
  useEffect(() => {
    ask((signal) => host.account.words(undefined, signal)).then(
      (words) => {
        if (words?.length === WORDS) setOffers(positions.map((position) => drawOffers(words, position)))
      },
      () => undefined,
    )
  }, [host, positions])
  return offers
}

/** Setup step that tests three words of the recovery phrase. Continues only if all three are correct. */
export function Quiz(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const positions = useMemo(drawPositions, [])
  const [fault, setFault] = useState<TextKey | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [given, setGiven] = useState<Readonly<Record<number, string>>>({})
  const offers = useOffers(positions)

  function give(position: number, word: string): void {
    setGiven({ ...given, [position]: word })
    setFault(null)
  }

  async function answer(event: FormEvent): Promise<void> {
    event.preventDefault()
    setFault(null)
    setBusy(true)
    const answers = positions.map((position) => ({ position, word: given[position] ?? '' }))
    await host.account
      .answerQuiz(answers)
      .then(
        (isRight) => setFault(isRight ? null : 'backup.quizWrong'),
        () => setFault('common.notDone'),
      )
      .finally(() => setBusy(false))
  }

  return (
    <form className="form" onSubmit={(event) => void answer(event)} autoComplete="off">
      {positions.map((position, at) => (
        <div key={position} className="quiz-word">
          <Field
            label={text('backup.quizWord', { position })}
            value={given[position] ?? ''}
            onInput={({ currentTarget }) => give(position, currentTarget.value)}
          />
          {offers !== null && (
            <fieldset className="choices" dir="ltr">
              <legend className="visually-hidden">{text('backup.quizWord', { position })}</legend>
              {offers[at]?.map((word) => (
                <button
                  key={word}
                  type="button"
                  className="choice"
                  lang="en"
                  aria-pressed={given[position] === word}
                  onClick={() => give(position, word)}
                >
                  {word}
                </button>
              ))}
            </fieldset>
          )}
        </div>
      ))}
      <p className="fault" role="alert">
        {fault === null ? '' : text(fault)}
      </p>
      <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
        {text('backup.quizCheck')}
      </BusyButton>
    </form>
  )
}

export function QuizStep(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  return (
    <SetupFrame title={text('backup.quizTitle')} step={3}>
      <p>{text('backup.quizText')}</p>
      <Quiz />
      <div className="actions">
        <ActionButton className="button button-quiet" act={() => host.account.setStep('words')}>
          {text('backup.showAgain')}
        </ActionButton>
      </div>
    </SetupFrame>
  )
}
