import { useEffect, useState } from 'preact/hooks'
import type { Role } from '../../src/people/roles.ts'
import { AskFailure } from '../ask.ts'

/** The one who is signed in; `person` is null where a link of the command signed in. */
export type Session = {
  readonly person: { readonly name: string; readonly hasTotp: boolean } | null
  readonly role: Role
  readonly csrf: string
}

/** `out` with the sentence of the console; without people there is no name to sign in by. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'in'; readonly session: Session }
  | {
      readonly kind: 'out'
      readonly hasPeople: boolean
      readonly sentence: string
      /** Name of the provider by which people sign in too, and what became of a visit there. */
      readonly provider?: string | undefined
      readonly failure?: string | undefined
      readonly needsCode?: boolean | undefined
    }

let state: SessionState = { kind: 'unknown' }
const listeners = new Set<(state: SessionState) => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener(next)
}

/** Reads the session from the console and shows it in the page; resolves without a session if nobody is signed in. */
export async function loadSession(): Promise<void> {
  const response = await fetch('/v1/session').catch(() => null)
  const body = (await response?.json().catch(() => null)) ?? null
  if (response?.ok === true) return change({ kind: 'in', session: body as Session })
  type Out = Omit<Extract<SessionState, { kind: 'out' }>, 'kind'> & { readonly error: string }
  const { error, hasPeople, ...visit } = (body ?? {}) as Partial<Out>
  const sentence = error ?? 'The console does not answer. Is its command still running?'
  change({ ...visit, kind: 'out', hasPeople: hasPeople === true, sentence })
}

// Any question may find that the session has ended.
addEventListener('signed-out', () => {
  if (state.kind === 'in') void loadSession()
})

/** Returns who is signed in, as of now and of every change. */
export function useSession(): SessionState {
  const [shown, setShown] = useState(state)
  useEffect(() => {
    listeners.add(setShown)
    setShown(state)
    return () => void listeners.delete(setShown)
  }, [])
  return shown
}

/** Returns the role of who is signed in; the least one while nobody is. */
export function useRole(): Role {
  const shown = useSession()
  return shown.kind === 'in' ? shown.session.role : 'viewer'
}

/** Refusal of a request, with what the console says beside the sentence. */
export class Refusal extends AskFailure {
  readonly needsCode: boolean

  constructor(sentence: string, needsCode: boolean) {
    super(sentence)
    this.needsCode = needsCode
  }
}

/** True where 401 is about what was typed. */
const isSignIn = (path: string): boolean => ['/v1/sign-in', '/v1/oidc/code'].includes(path)

/**
 * Sends a request with the CSRF header. Resolves with the JSON answer.
 *
 * @throws {Refusal} its message is a sentence for people
 */
export async function requestJson<Data>(method: string, path: string, body?: object): Promise<Data> {
  const csrf = state.kind === 'in' ? { 'hailstone-csrf': state.session.csrf } : {}
  const response = await fetch(path, {
    method,
    headers: { ...csrf, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal('The console does not answer. Is its command still running?', false)
  })
  const answer = (await response.json().catch(() => ({}))) as Data & {
    readonly error?: string
    readonly needsCode?: boolean
  }
  if (response.ok) return answer
  if (response.status === 401 && !isSignIn(path)) dispatchEvent(new Event('signed-out'))
  throw new Refusal(answer.error ?? `The console answered ${response.status}.`, answer.needsCode === true)
}
