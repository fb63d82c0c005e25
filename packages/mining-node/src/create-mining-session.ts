import type { Address } from '@hailstone/protocol'
import type { MiningNodeParameters, Platform } from './mining-node.ts'
import { gatewayUrlsOf, leaderCheckOf, parseReferralAgent, tokenToMine } from './mining-settings.ts'
import type { AnsweredHashes } from './session/answered.ts'
import { sessionClock } from './session/clock.ts'
import type { SessionFact } from './session/effect.ts'
import { type RunningSession, runSession } from './session/run-session.ts'
import type { SessionState } from './session/state.ts'

export type MiningSessionParameters = Pick<
  MiningNodeParameters,
  | 'wallet'
  | 'network'
  | 'gatewayUrl'
  | 'gatewayUrls'
  | 'tokenId'
  | 'referralAgent'
  | 'onDuplicateKey'
  | 'verifyLeader'
  | 'dangerouslySkipLeaderCheck'
  | 'clock'
  | 'randomness'
  | 'openChannel'
  | 'verify'
> & {
  /** Told of everything that happens, in order; must not throw. */
  readonly onFact?: ((fact: SessionFact) => void) | undefined
}

/** The session with the gateway and nothing else: no API, no store, no sentences. */
export type MiningSession = AsyncDisposable & {
  readonly address: Address
  readonly state: SessionState
  /**
   * Begins to connect. One that mines already goes on; one that was stopped begins anew.
   *
   * @throws {NodeError} `CONFIGURATION_INVALID`
   */
  readonly start: () => void
  /** Ends mining; resolves when no socket and no timer is left. May be called again. */
  readonly stop: () => Promise<void>
}

/**
 * Puts a session together for pages that count every byte.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export function assembleMiningSession(
  parameters: MiningSessionParameters,
  platform: Platform,
): MiningSession {
  const { wallet, onDuplicateKey = 'stop', clock, randomness, onFact = () => undefined } = parameters
  const referralAgent = parseReferralAgent(parameters.referralAgent)
  const tokenId = tokenToMine(parameters)
  const leader = leaderCheckOf(parameters, platform)
  const ownClock = sessionClock(clock)
  let session: RunningSession | null = null
  let answered: AnsweredHashes | undefined
  let ending = Promise.resolve()

  function start(): void {
    const [gatewayUrl, ...otherGatewayUrls] = gatewayUrlsOf(parameters)
    if (session !== null && session.state().status !== 'stopped') return
    answered = session?.answered() ?? answered
    session = runSession({
      ...platform,
      settings: { gatewayUrl, otherGatewayUrls, onDuplicateKey },
      signer: wallet,
      tokenId,
      referralAgent,
      openChannel: parameters.openChannel ?? platform.openChannel,
      verify: parameters.verify,
      leader,
      clock: ownClock,
      random: randomness,
      answered,
      onFact,
    })
  }

  async function stop(): Promise<void> {
    ending = session?.stop() ?? ending
    await ending
  }

  return {
    address: wallet.address,
    get state() {
      return session?.state() ?? { status: 'idle' }
    },
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
