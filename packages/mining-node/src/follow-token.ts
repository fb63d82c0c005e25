import { type ClientCore, getNativeTokenId } from '@hailstone/client'
import { reportError, type TokenId } from '@hailstone/protocol'
import { type OnDemand, onDemand } from './repeat.ts'
import { type FailurePlace, reportFailure } from './report-failure.ts'

/**
 * Asks the network which token is native until it says so. What fails is reported and repeated: a guess would be mined
 * for ever, since a gateway drops what is mined in a token that it does not have without a word.
 */
export function followToken(
  parameters: FailurePlace & {
    readonly client: ClientCore
    readonly pollIntervalMs: number | undefined
    readonly onLearned: (tokenId: TokenId) => void
  },
): Pick<OnDemand, 'stop'> {
  const { client, onLearned } = parameters
  const asking = onDemand({
    ...parameters,
    onError: ({ message: why }) =>
      reportFailure(parameters, reportError('NATIVE_TOKEN_UNKNOWN', { reason: why }), {
        api: { status: 'unreachable', why },
      }),
    task: async (signal) => onLearned(await getNativeTokenId(client, { signal })),
  })
  asking.trigger()
  return asking
}
