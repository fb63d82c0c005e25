import type { Address, TokenId } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { MiningNodeParameters, Platform } from './mining-node.ts'
import {
  bootNodeUrlsOf,
  type GatewayUrls,
  gatewayUrlsOf,
  leaderCheckOf,
  parseReferralAgent,
  tokenToMine,
} from './mining-settings.ts'
import { type SessionClock, sessionClock } from './session/clock.ts'
import type { SessionEvent } from './session/effect.ts'
import type { LeaderCheck } from './session/leader-check.ts'
import { type RunningSession, type RunSessionParameters, runSession } from './session/run-session.ts'
import type { SignLater } from './session/sign-later.ts'
import type { MiningSigner, SessionSigner } from './session/signer.ts'
import type { SessionSettings, SessionState } from './session/state.ts'

type SessionParameters = Pick<
  MiningNodeParameters,
  | 'wallet'
  | 'signLater'
  | 'signingTimeoutMs'
  | 'network'
  | 'gatewayUrl'
  | 'gatewayUrls'
  | 'bootNodeUrls'
  | 'requireEncryption'
  | 'tokenId'
  | 'referralAgent'
  | 'onDuplicateKey'
  | 'verifyLeader'
  | 'dangerouslySkipLeaderCheck'
  | 'requireLeaderSignature'
  | 'clock'
  | 'randomness'
  | 'frameLimitBytes'
  | 'openChannel'
  | 'verify'
> & {
  /** Called with every event, in order. */
  readonly onEvent?: ((event: SessionEvent) => void) | undefined
  /** Called with what `onEvent` threw, or rejected with. */
  readonly onError?: ((cause: unknown) => void) | undefined
}

/** A wallet, or any other signer with what lets it answer later. */
type SignedBy =
  | { readonly wallet: SessionSigner; readonly signLater?: SignLater | undefined }
  | { readonly wallet: MiningSigner; readonly signLater: SignLater }

/** Parameters of {@link createMiningSession}. */
export type MiningSessionParameters = Omit<SessionParameters, keyof SignedBy> & SignedBy

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

/** Sessions of one key, one after the other. */
export type Sessions = {
  /** What is mined. If nobody named a token, a guess until it is replaced, which counts from the next hail on. */
  readonly mined: { tokenId: TokenId }
  readonly referralAgent: Address | undefined
  readonly leader: LeaderCheck | undefined
  readonly clock: SessionClock
  /** The newest one; null before the first. */
  readonly current: () => RunningSession | null
  /**
   * Returns the gateways of the next session; null while one is running.
   *
   * @throws {NodeError} `CONFIGURATION_INVALID`
   */
  readonly place: () => GatewayUrls | null
  /** Starts a session. It does not sign again what the previous one signed. */
  readonly begin: (
    gatewayUrls: GatewayUrls,
    how?: Pick<SessionSettings, 'ownRecordAt' | 'heldBy'> | undefined,
  ) => void
}

/** @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED` */
export function prepareSessions(
  parameters: SessionParameters & Pick<MiningNodeParameters, 'client'>,
  platform: Platform,
  handlers: Pick<RunSessionParameters, 'onEvent' | 'onState'> = {},
): Sessions {
  const { onDuplicateKey = 'wait', requireEncryption } = parameters
  const referralAgent = parseReferralAgent(parameters.referralAgent)
  const mined = { tokenId: tokenToMine(parameters) }
  const leader = leaderCheckOf(parameters, platform)
  const clock = sessionClock(parameters.clock)
  let session: RunningSession | null = null
  return {
    mined,
    referralAgent,
    leader,
    clock,
    current: () => session,
    place: () => {
      const gatewayUrls = gatewayUrlsOf(parameters)
      return session === null || session.state().status === 'stopped' ? gatewayUrls : null
    },
    begin: ([gatewayUrl, ...otherGatewayUrls], how = {}) => {
      session = runSession({
        ...platform,
        ...parameters,
        ...handlers,
        settings: {
          gatewayUrl,
          otherGatewayUrls,
          bootNodeUrls: bootNodeUrlsOf(parameters),
          onDuplicateKey,
          requireEncryption,
          ...how,
        },
        signer: parameters.wallet,
        get tokenId() {
          return mined.tokenId
        },
        referralAgent,
        openChannel: parameters.openChannel ?? platform.openChannel,
        signLater: parameters.signLater ?? platform.signLater,
        leader,
        clock,
        random: parameters.randomness,
        answered: session?.session().memory.answered,
      })
    },
  }
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
  const onEvent = guarded(parameters.onEvent, parameters.onError)
  const { place, begin, current } = prepareSessions(parameters, platform, { onEvent })
  const stop = async (): Promise<void> => current()?.stop()

  return {
    address: parameters.wallet.address,
    get state() {
      return current()?.state() ?? { status: 'idle' }
    },
    start: () => {
      const gatewayUrls = place()
      if (gatewayUrls !== null) begin(gatewayUrls)
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
