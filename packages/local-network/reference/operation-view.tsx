import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Call, curlOf, typeScriptOf } from './calls.ts'
import { Line } from './guides.tsx'
import { indentJson } from './indent-json.ts'
import { membersOf } from './members.ts'
import {
  type ContentsEntry,
  type Operation,
  type OperationExample,
  type Parameter,
  type Response,
  readExamples,
  readOperation,
  type WireSchema,
} from './page-data.ts'
import { Try } from './try.tsx'

type Loaded = {
  readonly operation?: Operation
  readonly example?: OperationExample
  readonly failure?: string
}

const nothing: OperationExample = { values: {}, missing: [] }

function useOperation(id: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({})
  useEffect(() => {
    const leaving = new AbortController()
    const failed = (error: unknown): void => {
      if (!leaving.signal.aborted) setLoaded((before) => ({ ...before, failure: String(error) }))
    }
    readOperation(id, leaving.signal).then(
      (operation) => setLoaded((before) => ({ ...before, operation })),
      failed,
    )
    readExamples(leaving.signal).then(
      (examples) => setLoaded((before) => ({ ...before, example: examples[id] ?? nothing })),
      // Without values of the chain the form begins empty.
      (error: unknown) => {
        failed(error)
        setLoaded((before) => ({ ...before, example: nothing }))
      },
    )
    return () => leaving.abort()
  }, [id])
  return loaded
}

const Field = (given: {
  readonly parameter: Parameter
  readonly value: string
  readonly onValue: (value: string) => void
}): JSX.Element => {
  const { parameter, value, onValue } = given
  const { name, required, description } = parameter
  return (
    <div class="field">
      <label for={`of-${name}`}>
        <code>{name}</code> {required ? <small>required</small> : <small>may be empty</small>}
      </label>
      <input
        id={`of-${name}`}
        aria-describedby={`about-${name}`}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      <p id={`about-${name}`}>
        <Line text={description} />
      </p>
    </div>
  )
}

function Code({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => {})
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <section class="code" aria-label={title}>
      <h4>
        {title}
        <button type="button" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}

const Members = ({
  caption,
  schema,
}: {
  readonly caption: string
  readonly schema: WireSchema
}): JSX.Element | null => {
  const members = membersOf(schema)
  if (members.length === 0) return null
  return (
    <>
      <h3>{caption}</h3>
      <dl class="members">
        {members.map(({ path, kind, meaning }, at) => (
          <div key={`${String(at)}${path}`}>
            <dt>
              <code>{path}</code> <small>{kind}</small>
            </dt>
            <dd>
              <Line text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Errors that every operation shares are shown by name only. */
const shared: Readonly<Record<string, string>> = {
  Malformed: 'The body is not JSON, or a JSON text that is neither list nor object.',
  Repeated: 'A parameter is given more than once.',
  ForeignHost: 'The request names a host that this node does not answer for.',
  TooLarge: 'The body is longer than 102400 bytes.',
  Encoding: 'The text is not encoded in UTF-8.',
  StoreAway: 'The database of this node does not answer; ask again in a moment.',
  Failure: 'The server failed.',
}

const sentenceOf = ({ $ref = '', description }: Response): string =>
  description ?? shared[$ref.split('/').at(-1) ?? ''] ?? ''

const Errors = ({ responses }: Pick<Operation, 'responses'>): JSX.Element => (
  <>
    <h3>Other statuses</h3>
    <dl class="members">
      {Object.entries(responses)
        .filter(([status]) => status !== '200')
        .map(([status, response]) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Line text={sentenceOf(response)} />
            </dd>
          </div>
        ))}
    </dl>
  </>
)

const Recorded = ({ response }: { readonly response: Response | undefined }): JSX.Element | null => {
  const media = Object.values(response?.content ?? {})[0]
  const examples = Object.values(media?.examples ?? {})
  if (examples.length === 0) return null
  return (
    <details>
      <summary>Recorded answers of other chains</summary>
      {examples.map(({ summary, value }, at) => (
        <figure key={`${String(at)}${summary}`}>
          <figcaption>{summary}</figcaption>
          <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
        </figure>
      ))}
    </details>
  )
}

/** Warns that a POST changes the network for everybody who works with it. */
const Changes = ({ method }: { readonly method: string }): JSX.Element | null =>
  method === 'GET' ? null : (
    <p class="changes">
      <b>Changes this network.</b> Nothing is sent before you press Send.
    </p>
  )

function Form(given: {
  readonly entry: ContentsEntry
  readonly operation: Operation
  readonly example: OperationExample
}): JSX.Element {
  const { entry, operation, example } = given
  const [values, setValues] = useState(example.values)
  const [body, setBody] = useState(
    operation.requestBody === undefined ? undefined : indentJson(example.body ?? '{}'),
  )
  const isText = Object.keys(operation.responses['200']?.content ?? {})[0] === 'text/plain'
  const call: Call = { values, body }
  return (
    <>
      {example.missing.map((sentence) => (
        <p key={sentence} class="missing">
          <Line text={sentence} />
        </p>
      ))}
      <Try entry={entry} call={call}>
        {operation.parameters.map((parameter) => (
          <Field
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ''}
            onValue={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
          />
        ))}
        {body === undefined ? null : (
          <div class="field">
            <label for="of-body">Body, JSON</label>
            <textarea
              id="of-body"
              rows={Math.min(14, body.split('\n').length)}
              spellcheck={false}
              value={body}
              onInput={({ currentTarget }) => setBody(currentTarget.value)}
            />
          </div>
        )}
      </Try>
      <Code title="TypeScript" text={typeScriptOf(entry, call, isText)} />
      <Code title="curl" text={curlOf(entry, call)} />
    </>
  )
}

export function OperationView({ entry }: { readonly entry: ContentsEntry }): JSX.Element {
  const { operation, example, failure } = useOperation(entry.id)
  const answer = Object.values(operation?.responses['200']?.content ?? {})[0]
  const body = Object.values(operation?.requestBody?.content ?? {})[0]
  return (
    <article data-operation={operation === undefined ? undefined : entry.id}>
      <h2>{entry.summary}</h2>
      <p class="route">
        <span class={`method ${entry.method}`}>{entry.method}</span> <code>{entry.path}</code>
      </p>
      {failure === undefined ? null : (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      {operation === undefined ? null : (
        <>
          {operation.description === undefined ? null : (
            <p>
              <Line text={operation.description} />
            </p>
          )}
          <Changes method={entry.method} />
          {example === undefined ? (
            <p>Reading values of this chain …</p>
          ) : (
            <Form entry={entry} operation={operation} example={example} />
          )}
          {body === undefined ? null : <Members caption="Members of the body" schema={body.schema} />}
          {answer === undefined ? null : <Members caption="Members of the answer" schema={answer.schema} />}
          <Errors responses={operation.responses} />
          <Recorded response={operation.responses['200']} />
        </>
      )}
    </article>
  )
}
