import { createHash } from 'node:crypto'
import { fetchOutward } from '../online/outward.ts'

/** Answer of a host to one request. */
export type Answer = {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: Uint8Array
  readonly sha256: string
}

/** A request that got no answer. */
export type NoAnswer = { readonly code: string; readonly isCertificate: boolean }

export const isAnswer = (given: Answer | NoAnswer): given is Answer => 'status' in given

const TIMEOUT_MS = 15_000
/** The largest file of a build has less. */
const MAX_BYTES = 20_000_000

/** Requests one address as a browser does, without following redirects. */
export async function ask(url: URL): Promise<Answer | NoAnswer> {
  try {
    const response = await fetchOutward(url, {
      redirect: 'manual',
      headers: { 'accept-encoding': 'gzip, br' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    if (body.length > MAX_BYTES) return { code: 'too large', isCertificate: false }
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      body,
      sha256: createHash('sha256').update(body).digest('hex'),
    }
  } catch (error) {
    return noAnswer(error)
  }
}

/** fetch throws TypeError with the cause of a dead host, and DOMException for a timeout. */
function noAnswer(error: unknown): NoAnswer {
  if (error instanceof DOMException) return { code: 'no answer in time', isCertificate: false }
  if (!(error instanceof TypeError)) throw error
  const cause = Object(error.cause) as { readonly code?: unknown; readonly message?: unknown }
  const code = String(cause.code ?? cause.message ?? error.message)
  return { code, isCertificate: /CERT|SELF_SIGNED|VERIFY|TLS|SSL/.test(code) }
}
