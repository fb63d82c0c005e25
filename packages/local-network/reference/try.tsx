import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Call, urlOf } from './calls.ts'
import { indentJson } from './indent-json.ts'
import type { ContentsEntry } from './page-data.ts'

/** One request and what came of it. */
type Exchange = {
  readonly request: string
  readonly body: string | undefined
  readonly status: string
  readonly isGood: boolean
  readonly ms: number
  readonly bytes: number
  readonly answer: string
}

const TIMEOUT_MS = 20_000
/** More of an answer is not shown: nobody reads it, and a phone takes long to lay it out. */
const MAX_SHOWN = 100_000

const shown = (text: string, type: string): string => {
  if (text === '') return ''
  const whole = type.includes('json') ? indentJson(text) : text
  return whole.length <= MAX_SHOWN ? whole : `${whole.slice(0, MAX_SHOWN)}\n… cut, use curl for the rest`
}

async function send(entry: ContentsEntry, call: Call): Promise<Exchange> {
  const url = urlOf(entry, call)
  const request = `${entry.method} ${url}`
  const startedAt = performance.now()
  const past = (): number => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(url, {
      method: entry.method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(entry.method === 'GET'
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: call.body ?? '' }),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    return {
      request,
      body: call.body,
      status: `${response.status} ${response.statusText}`.trim(),
      isGood: response.ok,
      ms: past(),
      bytes: new TextEncoder().encode(text).length,
      answer: shown(text, type),
    }
  } catch (error) {
    const status = error instanceof Error && error.name === 'TimeoutError' ? 'No answer' : 'The node is away'
    return { request, body: call.body, status, isGood: false, ms: past(), bytes: 0, answer: String(error) }
  }
}

const Outcome = ({ of: exchange }: { readonly of: Exchange }): JSX.Element => (
  <section class="outcome" aria-label="Answer">
    <p class="request">
      <code>{exchange.request}</code>
    </p>
    {exchange.body === undefined ? null : <pre>{exchange.body}</pre>}
    <p>
      <b class={exchange.isGood ? 'good' : 'bad'} data-status={exchange.status}>
        {exchange.status}
      </b>{' '}
      in <span data-ms={exchange.ms}>{exchange.ms} ms</span>, {exchange.bytes} bytes
    </p>
    {exchange.answer === '' ? (
      <p>A body of zero length: the network has nothing to say.</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      <pre tabIndex={0} data-answer="">
        {exchange.answer}
      </pre>
    )}
  </section>
)

/** The form of an operation: its fields, a button, and what came of the last request. */
export function Try(given: {
  readonly entry: ContentsEntry
  readonly call: Call
  readonly children: ComponentChildren
}): JSX.Element {
  const { entry, call, children } = given
  const [exchange, setExchange] = useState<Exchange>()
  const [isAsking, setAsking] = useState(false)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isAsking) return
    setAsking(true)
    setExchange(await send(entry, call))
    setAsking(false)
  }
  const reported = exchange === undefined ? '' : `${exchange.status} in ${exchange.ms} ms`
  return (
    <form class="try" onSubmit={submit}>
      {children}
      <button type="submit" aria-disabled={isAsking}>
        {isAsking ? 'Sending …' : 'Send'}
      </button>
      <p role="status" class="unseen">
        {isAsking ? 'Sending' : reported}
      </p>
      {exchange === undefined ? null : <Outcome of={exchange} />}
    </form>
  )
}
