/**
 * Periods and limits of a session. A module without imports, whose numbers bundlers write in the place of their names.
 */

/** Time limit for a connection to open, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 5_000
export const PING_EVERY_MS = 4_500
/** With three pings unanswered when the fourth is due, nothing was heard for 18 seconds. */
export const UNANSWERED_PINGS_LIMIT = 3
/** Time limit for the gateway's closing handshake, in ms. */
export const CLOSE_GRACE_MS = 1_000

/** A cut within this time after a publication casts doubt on the publication (PROTOCOL 5.8). */
export const SUSPICION_MS = 10_000
/** A key that was ours for this long is not fought over: its next loss counts as the first. */
export const SETTLED_MS = 3_600_000
/** A connection that lasted this long was no failure, also when no beacon came. */
export const LASTING_CONNECTION_MS = 60_000
/** A key that is contested again after this time is kept by another device, in ms. */
export const CONTESTED_MS = 120_000
/** A key that is contested this soon after the hail may be contested by our own last session. */
export const LINGERING_MS = 10_000
/** Maximum age of our own last session to be taken for the one at the gateway, in ms. */
export const OWN_RECORD_MS = 120_000
/** Minimum interval between two such assumptions, so that two devices that both make it do not fight. */
export const BELIEVED_EVERY_MS = 600_000

/** `peer` messages followed in a row, that of a boot node included. */
export const REDIRECTS_LIMIT = 3
/** Time limit for a boot node to name a gateway, in ms. */
export const NAMING_TIMEOUT_MS = 5_000
/** Time for which the connection to a boot node stays open after a name, in ms: the last name counts. */
export const SETTLING_MS = 1_000

/** Malformed messages and beacons that may not be signed, in a row, before the gateway is left; forged ones count twice. */
export const BAD_MESSAGES_LIMIT = 6
/** A close this soon after a word of the gateway is what the word was about, in ms. */
export const SAID_BEFORE_CLOSE_MS = 5_000
/** Without a beacon for this long the session no longer calls itself mining. */
export const QUIET_AFTER_MS = 90_000
/** Macroblocks between two beacons of a miner of whom nothing is known yet. */
export const USUAL_QUIET_MACROBLOCKS = 14
/** Macroblocks without a beacon before a gateway is left, however short its silence usually is. */
export const MIN_QUIET_MACROBLOCKS = 8

/** Hashes in one generation of those that were answered. */
export const GENERATION_SIZE = 256
export const GENERATIONS = 256
/** Transactions found valid; several beacons of the largest size, then it begins anew. */
export const VERIFIED_KEPT = 8_192
/** Longest time on one beacon without reading sockets and timers. */
export const CHECK_SLICE_MS = 8
/** Longest wait for a verifier of leaders in ms. */
export const VERIFIES_WITHIN_MS = 10_000

export const CLOSE_NORMAL = 1000
export const CLOSE_WITHOUT_A_WORD = 1006
/** Of RFC 6455, for a single frame: here for all frames of a flood together as well. */
export const CLOSE_TOO_LARGE = 1009
