import type { Hash } from '@hailstone/protocol'
import type { Claim } from '@hailstone/runtime'
import { cleanScore, type GatewayScore } from './gateway-score.ts'
import { USUAL_QUIET_MACROBLOCKS } from './limits.ts'

/** Microblock hashes that were signed, in generations so that one more copies little. */
export type AnsweredHashes = readonly ReadonlySet<Hash>[]

export const NO_ANSWERS: AnsweredHashes = []

/** Target of a redirect. */
export type Peer = { readonly host: string; readonly port: number }

/** Reason why the session is between two connections. */
export type WaitReason =
  /** `detail` is what the system said, for example `ECONNREFUSED`, of the address `url`. */
  | { readonly kind: 'gatewayUnreachable'; readonly detail: string; readonly url?: string }
  | { readonly kind: 'handshakeTimeout' }
  /** `code` is the WebSocket close code; 1006 means that the link broke without a word. */
  | {
      readonly kind: 'connectionClosed'
      readonly code: number
      /** Cut off without a word right after we published, for the first time: a restart of the gateway looks the same. */
      readonly isAfterPublication?: true
      /** Word of the gateway right before, at most 200 characters of any kind. */
      readonly said?: string
    }
  | { readonly kind: 'connectionSilent' }
  /** Cut off without a word right after we published, again: how a gateway shows that it refused (PROTOCOL 5.8). */
  | { readonly kind: 'publicationSuspected' }
  /** The gateway at `host` says that another connection has the key. */
  | { readonly kind: 'duplicateKey'; readonly host: string }
  /** The gateway at `host` says that it speaks another version of the protocol; it may be about to be updated. */
  | { readonly kind: 'wrongProtocolVersion'; readonly host: string }
  /** The key was said to be in use right after we came back: our own last session may still stand there. */
  | { readonly kind: 'ownSessionLingers' }
  | { readonly kind: 'redirectsExhausted' }
  /** The boot node said nothing, or nothing that names a gateway. */
  | { readonly kind: 'bootNodeSilent' }
  /** One frame, or frames together that came much faster than they can be read. */
  | { readonly kind: 'frameTooLarge' }
  /** HTTP status instead of a socket. */
  | { readonly kind: 'gatewayRefused'; readonly status: number }
  /** The gateway sent several messages in a row that cannot be parsed or may not be signed. */
  | { readonly kind: 'gatewayMisbehaves'; readonly why: string }
  /** No beacon while others mined this many macroblocks. */
  | { readonly kind: 'gatewaySilent'; readonly macroblocks: number }
  /** Publications at this gateway are not included in the chain. */
  | { readonly kind: 'publicationsIgnored' }
  /** This device says that it has no network. */
  | { readonly kind: 'offline' }
  /** This machine slept or stood still; what was open before is taken for dead. */
  | { readonly kind: 'slept'; readonly gapMs: number }
  /** The signer did not sign the hail; `detail` is why. */
  | { readonly kind: 'signerFailed'; readonly detail: string }
  | HoldReason

/** Reason for holding the session back until the watcher of the API releases it. */
export type HoldReason =
  /** Nobody said which token is native; `detail` is empty before the API was asked. */
  | { readonly kind: 'nativeTokenUnknown'; readonly detail: string }
  /** The API was just asked what the network wants of a miner. */
  | { readonly kind: 'stakeUnknown' }
  /** Publications would be refused; `detail` names stake and minimum, or the gateway that says so and closes. */
  | { readonly kind: 'stakeTooLow'; readonly detail: string }
  | Doubt

/**
 * The API says that nothing can be mined, and is asked again. Said again and again it ends the session, unless the API
 * said otherwise before. `detail` is what it says, and which API node.
 */
export type Doubt = {
  readonly kind: 'unknownToken' | 'tokenNotMineable' | 'anotherNetwork'
  readonly detail: string
}

/** Reason for which a session stopped. It does not start again by itself. */
export type StopReason =
  | 'requested'
  /** Every gateway said so for minutes, and the owner wants that to be the end. */
  | 'duplicateKey'
  /** Of programs that judge by themselves: a session waits for gateways of another version. */
  | 'wrongProtocolVersion'
  | 'anotherNetwork'
  | 'unknownToken'
  | 'tokenNotMineable'
  /** The signer refused three hails in a row, or its signatures were not those of the account. */
  | 'signerRefused'

/** State of a mining session. Times are in ms of the session's clock. */
export type SessionState =
  | { readonly status: 'idle' }
  | { readonly status: 'connecting'; readonly attempt: number }
  /** Hailed; nothing was signed on this connection, or no beacon came for a while. */
  | { readonly status: 'waitingForBeacon'; readonly since: number }
  /** A signature has left on this connection. `published` counts since the session began. */
  | { readonly status: 'mining'; readonly published: number }
  | {
      readonly status: 'waiting'
      readonly attempt: number
      /** 0 where no time but the reason decides: a {@link HoldReason} that was not released. */
      readonly delayMs: number
      readonly reason: WaitReason
    }
  | { readonly status: 'stopped'; readonly reason: StopReason }

export type SessionSettings = {
  /** `ws:` or `wss:`; where every new attempt begins, whatever redirects came before. */
  readonly gatewayUrl: string
  /** Equal to the first one: which is used follows from chance and from how they behave. */
  readonly otherGatewayUrls?: readonly string[] | undefined
  /** Which of these gateways are boot nodes: they name a gateway, and nobody hails there. */
  readonly bootNodeUrls?: readonly string[] | undefined
  /** Reaction to another connection that took over the key. */
  readonly onDuplicateKey: 'stop' | 'wait'
  /** Refuses redirects to unencrypted gateways of other machines. @default false */
  readonly requireEncryption?: boolean | undefined
  /** Time at which a session of this key on this machine was last alive, by the session's clock. */
  readonly ownRecordAt?: number | undefined
  /** Nothing is connected before the session is released. */
  readonly heldBy?: HoldReason | undefined
}

/** Memory of the machine beside its state. */
export type SessionMemory = {
  /** Number of the newest connection; what older ones report is ignored. */
  readonly connection: number
  readonly isOpen: boolean
  readonly url: string
  /** Connections in a row that brought no valid beacon. */
  readonly failures: number
  /** Times in a row that another connection took over the key; null after a connection that lasted. */
  readonly contested: Claim | null
  /** Times since the last valid beacon that a gateway said why it does not want us, such as another version. */
  readonly outdated: number
  /** Redirects followed since the last valid beacon or the last wait. */
  readonly redirects: number
  /** Word of the gateway whose consequence is awaited; null if none. */
  readonly said: string | null
  /** Pings since the gateway was last heard. */
  readonly unansweredPings: number
  /** The gateway that a boot node named last, null if none yet; undefined where no boot node is open. */
  readonly named: Peer | null | undefined
  readonly openedAt: number
  /** Reason for not connecting; null if connecting is allowed. */
  readonly heldBy: HoldReason | null
  /** Connections in a row that were cut off right after a publication. */
  readonly cuts: number
  /** On this connection. */
  readonly lastPublishedAt: number | null
  /** The newest publication and whether it was sent a second time; see `answer`. */
  readonly lastAnswer: {
    readonly microblockHash: Hash
    readonly connection: number
    readonly isRepeated: boolean
  } | null
  /** Scores of the gateways, in the order of the settings. */
  readonly gateways: readonly GatewayScore[]
  /** The configured gateway of this connection, whatever redirects followed. */
  readonly gatewayUrl: string
  /** Malformed messages and beacons that may not be signed, in a row; a forged leader's signature counts twice. */
  readonly badMessages: number
  /** Macroblocks of others since the last beacon. */
  readonly quietMacroblocks: number
  /** Usual number of macroblocks between two beacons. */
  readonly usualQuietMacroblocks: number
  /** Time at which a session of ours was last open; null if there was none. */
  readonly lastOwnAt: number | null
  /** Time at which the key was last assumed to be held by our own earlier session. */
  readonly lingeredAt: number | null
  /** Number and hash of the newest beacon; only that one is answered. */
  readonly newestBeacon: { readonly number: number; readonly microblockHash: Hash | null }
  readonly published: number
  readonly answered: AnsweredHashes
}

/** A mining session between two inputs. Never changed in place. */
export type Session = {
  readonly settings: SessionSettings
  readonly state: SessionState
  readonly memory: SessionMemory
}

const initialScores = (settings: SessionSettings): readonly GatewayScore[] => {
  const { gatewayUrl, otherGatewayUrls = [], bootNodeUrls = [] } = settings
  return [...new Set([gatewayUrl, ...otherGatewayUrls])].map((url) =>
    cleanScore(url, bootNodeUrls.includes(url)),
  )
}

/** A session that was not started. `answered` carries over what an earlier session of the same key signed. */
export const idleSession = (settings: SessionSettings, answered: AnsweredHashes = NO_ANSWERS): Session => ({
  settings,
  state: { status: 'idle' },
  memory: {
    connection: 0,
    isOpen: false,
    url: settings.gatewayUrl,
    failures: 0,
    contested: null,
    outdated: 0,
    redirects: 0,
    said: null,
    unansweredPings: 0,
    named: undefined,
    openedAt: 0,
    heldBy: settings.heldBy ?? null,
    cuts: 0,
    lastPublishedAt: null,
    lastAnswer: null,
    gateways: initialScores(settings),
    gatewayUrl: settings.gatewayUrl,
    badMessages: 0,
    quietMacroblocks: 0,
    usualQuietMacroblocks: USUAL_QUIET_MACROBLOCKS,
    lastOwnAt: settings.ownRecordAt ?? null,
    lingeredAt: null,
    newestBeacon: { number: 0, microblockHash: null },
    published: 0,
    answered,
  },
})
