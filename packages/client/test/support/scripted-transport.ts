import type { Transport, TransportAnswer, TransportRequest } from '../../src/node.ts'

/** Scripted answer: JSON text with status 200, or a whole answer. */
export type Scripted = string | Partial<TransportAnswer>

/** A network in memory: each request is answered by the script, which may also throw or wait. */
export function scriptedTransport(
  script: (request: TransportRequest) => Scripted | Promise<Scripted>,
): Transport & { readonly requests: readonly TransportRequest[] } {
  const requests: TransportRequest[] = []
  return {
    requests,
    request: async (request) => {
      requests.push(request)
      const answer = await script(request)
      const given = typeof answer === 'string' ? { text: answer } : answer
      return { status: 200, contentType: 'application/json', text: '', ...given }
    },
  }
}
