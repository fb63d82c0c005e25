import { type ErrorFacts, type HostErrorCode, type Sentences, shown } from './facts.ts'
import { lockAdvice, lockHolderText } from './lock-holder-text.ts'
import { NodeError } from './node-error.ts'

export const hostSentences: Sentences<HostErrorCode> = {
  STORE_LOCKED: (facts) =>
    `The data folder ${shown(facts.folder)} is in use by ${lockHolderText(facts)}. Stop it, or choose another folder.${lockAdvice(facts)}`,
  STORE_INVALID: ({ reason }) => `The stored chain cannot be used: ${reason}.`,
  PORT_IN_USE: ({ host, port }) => `Port ${port} of ${host} is in use by another program.`,
  LEADER_SIGNING_REFUSED: ({ reason }) => `The leader's signature was not made: ${reason}.`,
  CONTROL_REFUSED: ({ reason }) => `The network was left as it is: ${reason}.`,
  // Whole: of several hosts each one has said why.
  STORE_UNREACHABLE: ({ reason }) => `The database cannot be used: ${JSON.stringify(reason)}.`,
  STORE_FULL: ({ reason }) =>
    `The disk of the database is full: ${shown(reason)}. Make room there; the network then goes on by itself.`,
  STORE_NOT_REPLICATED: ({ reason }) =>
    `The database acknowledges commits without a standby: ${reason}. Start a standby and name it in synchronous_standby_names.`,
  SOCKET_FAILED: ({ url, reason }) => `The gateway ${url} cannot be reached: ${reason}.`,
  LEADERSHIP_LOST: ({ term }) =>
    `Another process closes macroblocks now; the term ${term} of this one is over.`,
}

/** Creates an error of running a network, which pages never do. */
export function hostError<C extends HostErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<HostErrorCode>(code, facts, options, hostSentences) as NodeError<C>
}
