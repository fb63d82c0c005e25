import { type AgentInfo, agentInfoEndpoint } from '@hailstone/protocol'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Parameters of {@link getAgentInfo}. */
export type GetAgentInfoParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
}

/**
 * Reads how many miners named an account as their referral agent within a day, and its rewards of that day.
 * Undefined for an account of which the network computed nothing.
 *
 * Source: `GET /stat/agent_info`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getAgentInfo = (
  client: ClientCore,
  { address, signal }: GetAgentInfoParameters,
): Promise<AgentInfo | undefined> => callEndpointOrNothing(client, agentInfoEndpoint, { address }, { signal })
