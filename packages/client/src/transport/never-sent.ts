import { isNodeError } from '@hailstone/protocol'

/** Failures of Node by which nothing of the request has left this machine yet. */
export const notSent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'there is no way to the network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
}

/** True if a request certainly never reached the network, so that it had no effect. */
export const wasNeverSent = (error: unknown): boolean =>
  isNodeError(error, 'REQUEST_FAILED') &&
  (Object.values(notSent).includes(error.facts.reason) || / at the proxy\b/.test(error.facts.reason))
