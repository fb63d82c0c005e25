import { type ExpectedReturn, returnOfStakeEndpoint } from '@hailstone/protocol'
import { answerFault } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** An estimate over one span of time: doubles with rounding noise, never to be paid with. */
export type ReturnEstimate = {
  /** Share of the stake in percent, such as 0.5 for half a percent. */
  readonly percent: number
  /** Native units, with the rounding of a double. */
  readonly units: number
}

/** Estimated rewards over four spans, in native units. */
export type ExpectedReturns = {
  readonly day: ReturnEstimate
  readonly week: ReturnEstimate
  /** Thirty days. */
  readonly month: ReturnEstimate
  readonly year: ReturnEstimate
}

/** Parameters of {@link getExpectedReturn}. */
export type GetExpectedReturnParameters = Cancellable & {
  /** In units. */
  readonly stake: bigint
  /** @default the network's native token */
  readonly tokenId?: string | undefined
}

/**
 * Estimates what a stake earns; undefined when the network has no figures for this stake.
 *
 * Source: `GET /roi_by_stake`, which answers an error object for a stake outside its table.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getExpectedReturn(
  client: ClientCore,
  { stake, tokenId, signal }: GetExpectedReturnParameters,
): Promise<ExpectedReturns | undefined> {
  const answer = await lookUp(client, returnOfStakeEndpoint, { stake, tokenId }, { signal })
  return answer === undefined || answer.error !== undefined ? undefined : estimates(answer)
}

function estimates({ percent = [], units = [] }: ExpectedReturn): ExpectedReturns {
  const over = (at: number): ReturnEstimate => {
    const [share, amount] = [percent[at], units[at]]
    if (share === undefined || amount === undefined) {
      throw answerFault(returnOfStakeEndpoint.path, 'it lacks one of four spans of time')
    }
    return { percent: share, units: amount }
  }
  return { day: over(0), week: over(1), month: over(2), year: over(3) }
}
