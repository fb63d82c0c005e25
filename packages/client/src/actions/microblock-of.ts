import type { Endpoint, Hash, Parameter } from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

export type GetMicroblockParameters = Cancellable & { readonly hash: Hash }

type Answer = { readonly header?: { readonly hash: Hash } | undefined }

/** Reads the members of `GET /mblock` that the endpoint names. Undefined if the answer has no header. */
export async function microblockOf<A extends Answer>(
  client: ClientCore,
  endpoint: Endpoint<{ readonly hash: Parameter<'hash', false> }, A>,
  { hash, signal }: GetMicroblockParameters,
): Promise<(A & { readonly header: NonNullable<A['header']> }) | undefined> {
  const answer = await lookUp(client, endpoint, { hash }, { signal })
  if (answer?.header === undefined) return undefined
  const { header } = answer
  if (!isSameName(header.hash, hash)) throw answerFault(endpoint.path, 'it is another microblock')
  return { ...answer, header }
}
