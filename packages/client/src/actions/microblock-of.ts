import type { Endpoint, Hash, Parameter } from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Parameters of {@link getMicroblock}. */
export type GetMicroblockParameters = Cancellable & {
  /** 64 hex digits. */
  readonly hash: string
  /** Takes an answer that this client read at most so many ms ago. @default 60000 */
  readonly maxAgeMs?: number | undefined
}

/**
 * A microblock is calculated once. Those who watch rewards and those who show them ask for it within moments; a node that
 * was wrong is not believed longer than this.
 */
const MICROBLOCK_KEPT_MS = 60_000

type Answer = { readonly header?: { readonly hash: Hash } | undefined }

/** Reads the members of `GET /mblock` that the endpoint names. Undefined if the answer has no header. */
export async function microblockOf<A extends Answer>(
  client: ClientCore,
  endpoint: Endpoint<{ readonly hash: Parameter<'hash', false> }, A>,
  { hash, maxAgeMs = MICROBLOCK_KEPT_MS, signal }: GetMicroblockParameters,
): Promise<(A & { readonly header: NonNullable<A['header']> }) | undefined> {
  const isKept = ({ header }: A): boolean => header !== undefined && isSameName(header.hash, hash)
  const answer = await lookUp(client, endpoint, { hash }, { signal, maxAgeMs, isKept })
  if (answer?.header === undefined) return undefined
  const { header } = answer
  if (!isSameName(header.hash, hash)) throw answerFault(endpoint.path, 'it is another microblock')
  return { ...answer, header }
}
