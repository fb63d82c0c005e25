import type { SignIn, signIn, Wallet } from '@hailstone/client'
import { LONGEST_MS, type SignInFault, type SignInRequest, signInFault } from './sign-in-request.ts'
import type { Storage } from './storage.ts'

// Loaded with the first request. As `account-setup.ts`, it imports no values of the engine.

/** Signed answer to a request, or why it was refused. */
export type SignInAnswer =
  | { readonly ok: true; readonly proof: SignIn }
  | { readonly ok: false; readonly why: SignInFault }

/** Answered nonces of all accounts, each for as long as a link may be open: another link may name a later end. */
const ANSWERED = 'answeredSignIns'

type Answered = Readonly<Record<string, number>>

/** Notes that a request is answered. Returns false if it was before, in whichever tab. */
async function take(
  storage: Storage,
  { host, nonce, nowMs }: Pick<SignIn, 'host' | 'nonce'> & { readonly nowMs: number },
): Promise<boolean> {
  const key = `${host} ${nonce}`
  const { [ANSWERED]: before } = await storage.swap([ANSWERED], ({ [ANSWERED]: kept }) => {
    const open = Object.entries((kept as Answered | undefined) ?? {}).filter(([, end]) => end > nowMs)
    return { [ANSWERED]: Object.fromEntries([...open, [key, nowMs + LONGEST_MS]]) }
  })
  return !Object.hasOwn((before as Answered | undefined) ?? {}, key)
}

/** Signs the answer to a request, once, for a page of the brand. The key stays in its wallet. */
export async function answerSignIn(
  request: SignInRequest,
  tools: {
    readonly wallet: Wallet
    readonly pages: readonly string[]
    readonly storage: Storage
    readonly sign: typeof signIn
  },
): Promise<SignInAnswer> {
  const { wallet, pages, storage, sign } = tools
  const nowMs = Date.now()
  const why = signInFault(request, { pages, nowMs })
  if (why !== null) return { ok: false, why }
  const { nonce } = request
  const { host } = new URL(request.page)
  if (!(await take(storage, { host, nonce, nowMs }))) return { ok: false, why: 'answered' }
  return { ok: true, proof: sign({ wallet, host, nonce, issuedAtMs: nowMs }) }
}
