import { type ClientCore, getNativeTokenId } from '@hailstone/client'
import { type NodeError, reportError, type TokenId } from '@hailstone/protocol'
import { type OnDemand, onDemand } from './repeat.ts'

/**
 * Asks the network which token is native until it says so. What fails is reported and repeated: a guess would be mined
 * for ever, since a gateway drops what is mined in a token that it does not have without a word.
 */
export function followToken(parameters: {
  readonly client: ClientCore
  readonly pollIntervalMs: number | undefined
  readonly onLearned: (tokenId: TokenId) => void
  readonly onError: (error: NodeError<'NATIVE_TOKEN_UNKNOWN'>) => void
}): Pick<OnDemand, 'stop'> {
  const { client, onLearned, onError } = parameters
  const asking = onDemand({
    ...parameters,
    onError: ({ message }) => onError(reportError('NATIVE_TOKEN_UNKNOWN', { reason: message })),
    task: async (signal) => {
      const tokenId = await getNativeTokenId(client, { signal })
      // Transports of programs may answer after the end.
      if (!signal.aborted) onLearned(tokenId)
    },
  })
  asking.trigger()
  return asking
}
