import type { Verdict } from '../src/figures/explain.ts'
import type { Figure } from '../src/figures/figure.ts'

export type Status = {
  readonly height: number | null
  readonly ageSeconds: number | null
  readonly state: 'starting' | 'following' | 'behind' | 'lying' | 'forked' | 'failing'
  readonly failure: string | null
  readonly reorganisations: number
  readonly activeAlerts: number
  readonly alertsFailure: string | null
}

export type TokenName = { readonly id: string; readonly symbol: string; readonly decimals: number }

export type Answer<Data> = { readonly status: Status; readonly token: TokenName; readonly data: Data }
export type FigureAnswer = Answer<Figure>
export type ExplainAnswer = Answer<{ readonly verdicts: readonly Verdict[] }>

/** Sentence of a failed question, for people. */
export class AskFailure extends Error {}

/**
 * Fetches one answer of the console's API.
 *
 * @param path from the root of the console, such as `/v1/miners`
 * @throws {AskFailure} when the console cannot be reached or refuses; its message is a sentence for people
 */
export async function ask<Data>(path: string): Promise<Answer<Data>> {
  const response = await fetch(path, { headers: { accept: 'application/json' } }).catch(() => {
    throw new AskFailure('The console does not answer. Is its command still running?')
  })
  if (response.status === 401) dispatchEvent(new Event('signed-out'))
  const body = (await response.json().catch(() => ({}))) as { readonly error?: string }
  if (!response.ok) throw new AskFailure(body.error ?? `The console answered ${response.status}.`)
  return body as Answer<Data>
}
