import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExplainAnswer } from './ask.ts'
import { FigureView } from './figure-view.tsx'
import { Loading, Problem } from './parts.tsx'
import { useAnswer } from './use-answer.ts'

const ADDRESS = /^0[23][0-9a-f]{64}$/

/** Answers "my reward is missing" for one account. */
export function AccountView({ address }: { readonly address: string }): JSX.Element {
  const [text, setText] = useState(address)
  const [days, setDays] = useState('7')
  const isAddress = ADDRESS.test(address)
  return (
    <>
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault()
          location.hash = `account/${text.trim().toLowerCase()}`
        }}
      >
        <label>
          Address{' '}
          <input
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            spellcheck={false}
            autocomplete="off"
            placeholder="66 hex digits"
          />
        </label>
        <label>
          Days{' '}
          <select value={days} onChange={({ currentTarget }) => setDays(currentTarget.value)}>
            {['1', '7', '30', '90'].map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
        <button type="submit">Explain</button>
      </form>
      {address !== '' && !isAddress && (
        <Problem text="An address has 66 hex digits and begins with 02 or 03." />
      )}
      {isAddress && (
        <>
          <Explanation path={`/v1/explain?address=${address}&days=${days}`} />
          <h3>What the network says now</h3>
          <Explanation path={`/v1/answers?address=${address}`} />
          <h3>Newest rewards</h3>
          <FigureView path={`/v1/miner-rewards?address=${address}`} />
        </>
      )}
    </>
  )
}

/** Sentences with their evidence. */
export function Explanation({ path }: { readonly path: string }): JSX.Element {
  const { answer, failure } = useAnswer<ExplainAnswer['data']>(path)
  if (failure !== null) return <Problem text={failure} />
  if (answer === null) return <Loading />
  return (
    <ol class="verdicts">
      {answer.data.verdicts.map(({ code, sentence, nextStep, evidence }) => (
        <li key={code}>
          <p>
            <strong>{sentence}</strong>
          </p>
          {nextStep !== '' && <p>{nextStep}</p>}
          <details>
            <summary>Evidence ({code})</summary>
            <dl>
              {Object.entries(evidence).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value ?? '–'}</dd>
                </div>
              ))}
            </dl>
          </details>
        </li>
      ))}
      {answer.data.verdicts.length === 0 && <li>Nothing holds for these days.</li>}
    </ol>
  )
}
