import { type JsonValue, parseJson, stringifyJson } from '@hailstone/protocol'
import type { DescribedEndpoint, RecordedExample } from '@hailstone/protocol/reference'
import { asList, asObject, asText, type Case } from '../case.ts'
import { placesOf, shorten } from './shorten.ts'

/** A file of recorded exchanges or answers, parsed losslessly. */
export type NamedFile = { readonly name: string; readonly file: JsonValue }

/** An exchange with the answer shortened; `places` are the members that it shows. */
export type Candidate = RecordedExample & { readonly places: ReadonlySet<string> }

const MAX_EXAMPLES = 3

/** True if a double represents the number exactly, because the document is plain JSON. */
const isExact = (text: string): boolean => JSON.stringify(JSON.parse(text)) === text

/** Returns the parts of an exchange; null if it shows nothing that can be printed. */
export function candidate(parameters: {
  readonly source: string
  readonly query: string
  readonly body?: JsonValue | undefined
  readonly answer: string
  readonly isText: boolean
}): Candidate | null {
  const { source, query, body, answer, isText } = parameters
  if (answer === '') return null
  if (isText) return { source, query, answer, places: new Set([answer]) }
  const short = shorten(parseJson(answer))
  const text = stringifyJson(short)
  if (!isExact(text)) return null
  const sent = body === undefined || body === null ? {} : { body: stringifyJson(body) }
  return { source, query, ...sent, answer: text, places: placesOf(short) }
}

function ofFile({ name, file }: NamedFile, endpoint: DescribedEndpoint): readonly (Candidate | null)[] {
  const given = asObject(file)
  const recorded = asList(given.exchanges)
  const origin =
    recorded.length > 0
      ? 'Recorded from the public node software'
      : 'Answer of the public handlers to invented rows'
  const exchanges: readonly Case[] = [...recorded, ...asList(given.cases)].map(asObject)
  return exchanges.map((exchange) => {
    const [path = '', query = ''] = asText(exchange.path)
      .replace(/^\/api\/v1/, '')
      .split('?')
    const isAsked = asText(exchange.method) === endpoint.method && path === endpoint.path
    if (!isAsked || asText(exchange.status) !== '200') return null
    const body = typeof exchange.request === 'object' ? exchange.request : undefined
    return candidate({
      source: `${origin}: ${name}`,
      query,
      body,
      answer: asText(exchange.body),
      isText: false,
    })
  })
}

/** Selects the exchanges that show most members, most informative first, while each shows something new. */
export function mostInformative(candidates: readonly Candidate[]): readonly RecordedExample[] {
  const shown = new Set<string>()
  const chosen: Candidate[] = []
  const newsOf = ({ places }: Candidate): number => [...places].filter((place) => !shown.has(place)).length
  while (chosen.length < MAX_EXAMPLES) {
    const [best] = [...candidates].sort((a, b) => newsOf(b) - newsOf(a) || a.answer.length - b.answer.length)
    if (best === undefined || (chosen.length > 0 && newsOf(best) === 0)) break
    for (const place of best.places) shown.add(place)
    chosen.push(best)
    if (newsOf(best) === 0 && candidates.every((one) => newsOf(one) === 0)) break
  }
  return chosen.map(({ places: _, ...example }) => example)
}

/** Returns recorded exchanges of an endpoint from the files of the public software. */
export const recordedExamples = (
  files: readonly NamedFile[],
  endpoint: DescribedEndpoint,
): readonly RecordedExample[] =>
  mostInformative(files.flatMap((file) => ofFile(file, endpoint)).filter((one) => one !== null))
