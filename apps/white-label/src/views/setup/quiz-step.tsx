import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { SetupFrame } from './setup-frame.tsx'

const WORDS = 12
const ASKED = 3

/** Draws three different positions, from 1, ascending. */
function drawPositions(): readonly number[] {
  const drawn = new Set<number>()
  while (drawn.size < ASKED) drawn.add((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % WORDS)
  return [...drawn].sort((a, b) => a - b).map((place) => place + 1)
}

/** Setup step that tests three words of the recovery phrase. Continues only if all three are correct. */
export function Quiz(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const positions = useMemo(drawPositions, [])
  const [isWrong, setWrong] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [given, setGiven] = useState<Readonly<Record<number, string>>>({})

  async function answer(event: FormEvent): Promise<void> {
    event.preventDefault()
    setWrong(false)
    setBusy(true)
    const answers = positions.map((position) => ({ position, word: given[position] ?? '' }))
    const isRight = await host.account.answerQuiz(answers).finally(() => setBusy(false))
    setWrong(!isRight)
  }

  return (
    <form className="form" onSubmit={(event) => void answer(event)} autoComplete="off">
      {positions.map((position) => (
        <Field
          key={position}
          label={text('backup.quizWord', { position })}
          value={given[position] ?? ''}
          onInput={({ currentTarget }) => {
            setGiven({ ...given, [position]: currentTarget.value })
            setWrong(false)
          }}
        />
      ))}
      <p className="fault" role="alert">
        {isWrong ? text('backup.quizWrong') : ''}
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
        <button
          type="button"
          className="button button-quiet"
          onClick={() => void host.account.setStep('words')}
        >
          {text('backup.showAgain')}
        </button>
      </div>
    </SetupFrame>
  )
}
