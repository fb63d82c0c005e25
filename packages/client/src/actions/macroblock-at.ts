import { type Amount, type Endpoint, isNodeError, type Parameter } from '@hailstone/protocol'
import { answerFault } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getHeight } from './get-height.ts'

/** Parameters of {@link getMacroblock}. */
export type GetMacroblockParameters = Cancellable & {
  /** 0 or more. */
  readonly height: number
}

type KeyBlock = { readonly height: number; readonly reward: Amount | null }
type Answer = { readonly keyBlock?: KeyBlock | undefined }

/** A key block's answer with a flag for calculated rewards; until then its lists are incomplete. */
export type Calculated<A extends Answer> = A & {
  readonly keyBlock: NonNullable<A['keyBlock']>
  readonly isCalculated: boolean
}

/** Undefined for an answer without key block: the network has no such macroblock. */
export const calculated = <A extends Answer>(answer: A | undefined): Calculated<A> | undefined =>
  answer?.keyBlock && { ...answer, keyBlock: answer.keyBlock, isCalculated: answer.keyBlock.reward !== null }

/**
 * Reads the members of `GET /macroblock_by_height` that the endpoint names. The public network never answers for a
 * height it does not have, so after a timeout the height of the chain decides between "no answer" and "no such
 * block".
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function macroblockAt<A extends Answer>(
  client: ClientCore,
  endpoint: Endpoint<{ readonly height: Parameter<'height', false> }, A>,
  { height, signal }: GetMacroblockParameters,
): Promise<Calculated<A> | undefined> {
  try {
    const macroblock = calculated(await lookUp(client, endpoint, { height }, { signal }))
    if (macroblock !== undefined && macroblock.keyBlock.height !== height) {
      throw answerFault(endpoint.path, 'it is the macroblock of another height')
    }
    return macroblock
  } catch (error) {
    if (!isNodeError(error, 'REQUEST_TIMEOUT')) throw error
    if (height > (await tipOr(error, client, signal))) return undefined
    throw error
  }
}

/** The height of the chain; when that cannot be had either, the first failure is the one to report. */
async function tipOr(first: unknown, client: ClientCore, signal: AbortSignal | undefined): Promise<number> {
  try {
    return await getHeight(client, { signal })
  } catch (error) {
    throw isNodeError(error) ? first : error
  }
}
