import type { StopReason } from '@hailstone/mining-node'
import { type ErrorCode, isNodeError } from '@hailstone/protocol'

/** Exit of a command, for scripts. Numbers are only ever added: never changed, reused or removed. */
export type Exit = {
  readonly number: number
  readonly name: string
  /** One sentence that says what happened. */
  readonly meaning: string
  /** Advice for the person who ran the command. */
  readonly nextStep: string
}

const exit = (number: number, name: string, meaning: string, nextStep: string): Exit => ({
  number,
  name,
  meaning,
  nextStep,
})

export const exits = {
  ok: exit(0, 'OK', 'Done, or stopped because you asked for it.', 'Nothing.'),
  unexpected: exit(
    1,
    'UNEXPECTED',
    'Something that was not foreseen.',
    'Report it with the line above and what you ran.',
  ),
  usage: exit(2, 'USAGE', 'The command line cannot be read.', 'See `hailstone help`.'),
  configuration: exit(
    3,
    'CONFIGURATION',
    'A setting is missing or cannot be used.',
    'Correct the setting that is named.',
  ),
  key: exit(
    4,
    'KEY_UNUSABLE',
    'The key is missing, malformed, readable by others, or its password is wrong.',
    'Check the file, its mode (600) and the password.',
  ),
  keyInUse: exit(
    5,
    'KEY_IN_USE',
    'Another process on this machine mines with this key.',
    'Stop that process, which is named, or use another key.',
  ),
  duplicateKey: exit(
    6,
    'DUPLICATE_KEY',
    'Another device took over mining with this key.',
    'Stop the other device, or use another key here.',
  ),
  protocolVersion: exit(
    7,
    'PROTOCOL_VERSION',
    'The gateway speaks another version of the protocol.',
    'Update this package; trying again does not help.',
  ),
  notRunning: exit(
    8,
    'NOT_RUNNING',
    'Nothing that was asked for runs here.',
    'Start it, such as `hailstone mine --health-port 4420`, or name its port or data folder.',
  ),
  notReady: exit(
    9,
    'NOT_READY',
    'Something runs and is not ready, or does not say so.',
    'Do what the next step of its health says.',
  ),
  apiUnreachable: exit(
    10,
    'API_UNREACHABLE',
    'The API does not answer.',
    'Check its address and the network connection.',
  ),
  gatewayUnreachable: exit(
    11,
    'GATEWAY_UNREACHABLE',
    'No gateway answers.',
    'Check its address, and whether a firewall stops WebSockets.',
  ),
  clockSkewed: exit(
    12,
    'CLOCK_SKEWED',
    'The clock of this machine is wrong.',
    'Let the system set its clock from the network.',
  ),
  tokenUnknown: exit(13, 'TOKEN_UNKNOWN', 'The network knows no such token.', 'Check the token id.'),
  tokenNotMineable: exit(14, 'TOKEN_NOT_MINEABLE', 'The token cannot be mined.', 'Choose a mineable token.'),
  stakeTooLow: exit(
    15,
    'STAKE_TOO_LOW',
    'The balance in the mined token is below its minimum stake.',
    'Top up the balance; it stays yours.',
  ),
  ownerWithoutCoins: exit(
    16,
    'OWNER_WITHOUT_COINS',
    'The owner of the token cannot pay the native fee of its transfers.',
    'Tell the owner, or mine another token.',
  ),
  agentUnqualified: exit(
    17,
    'AGENT_UNQUALIFIED',
    'The referral agent does not qualify.',
    'Ask your agent to hold enough of the mined token.',
  ),
  nothingEarned: exit(
    18,
    'NOTHING_EARNED',
    'None of your microblocks was included lately.',
    'Keep mining; with a small stake or an idle network this takes time.',
  ),
  wrongNetwork: exit(
    19,
    'WRONG_NETWORK',
    'The API belongs to another network.',
    'Check --network and --api; do not sign anything there.',
  ),
  paymentRefused: exit(
    20,
    'PAYMENT_REFUSED',
    'The payment was not made: nothing was signed, or the network did not take it.',
    'Read why. Pay anew only what the history of the account does not have.',
  ),
  paymentRejected: exit(
    21,
    'PAYMENT_REJECTED',
    'The payment stands in the chain without effect.',
    'Check the balance and the fee, then make a new payment.',
  ),
  paymentUnsettled: exit(
    22,
    'PAYMENT_UNSETTLED',
    'The payment is stored and may still land.',
    'Run `hailstone send --resume`; do not send it anew.',
  ),
  storage: exit(
    23,
    'STORAGE',
    'A file cannot be read or written, or another process holds it.',
    'Check the file that is named, and free space.',
  ),
  answerInvalid: exit(
    24,
    'ANSWER_INVALID',
    'The API answered what the protocol does not allow.',
    'Use another API, and tell its operator.',
  ),
  portInUse: exit(25, 'PORT_IN_USE', 'The health port is taken.', 'Choose another port, or 0 for any.'),
  keepsDying: exit(
    26,
    'KEEPS_DYING',
    'The miner died ten times in a row, each time within a minute; it is not started any more.',
    'Read what it wrote last; give it more memory, or report it.',
  ),
  notFound: exit(
    27,
    'NOT_FOUND',
    'The network does not know what was asked for.',
    'Check the hash, height or id, and the network.',
  ),
  faucetRefused: exit(
    28,
    'FAUCET_REFUSED',
    'The faucet gave nothing.',
    'Try again in a minute; each account is served once in a while.',
  ),
  paymentDuplicate: exit(
    29,
    'PAYMENT_DUPLICATE',
    'The payment stands in the chain a second time, without effect: the same bytes were calculated before.',
    'Do not pay again. Look in the history of the account for what came of the first time.',
  ),
} as const satisfies Record<string, Exit>

export type ExitName = keyof typeof exits

/** A second signal while the command still stops after the first; 128 and the number of the signal, as shells have it. */
export const HARD_END = { SIGINT: 130, SIGTERM: 143 } as const

export const exitOfStop: { readonly [R in StopReason]: ExitName } = {
  requested: 'ok',
  duplicateKey: 'duplicateKey',
  wrongProtocolVersion: 'protocolVersion',
  anotherNetwork: 'wrongNetwork',
  unknownToken: 'tokenUnknown',
  tokenNotMineable: 'tokenNotMineable',
  signerRefused: 'key',
}

const exitOfCode: { readonly [C in ErrorCode]?: ExitName } = {
  ADDRESS_MALFORMED: 'configuration',
  TOKEN_ID_MALFORMED: 'configuration',
  REFERRAL_CODE_INVALID: 'configuration',
  CONFIGURATION_INVALID: 'configuration',
  URL_REFUSED: 'configuration',
  AMOUNT_MALFORMED: 'configuration',
  AMOUNT_TOO_PRECISE: 'configuration',
  AMOUNT_OUT_OF_RANGE: 'configuration',
  MEMO_MALFORMED: 'configuration',
  CONTRACT_MALFORMED: 'configuration',
  PRIVATE_KEY_MALFORMED: 'key',
  KEYSTORE_MALFORMED: 'key',
  KEYSTORE_VERSION_UNKNOWN: 'key',
  KEYSTORE_PARAMETER_REFUSED: 'key',
  KEYSTORE_UNLOCK_FAILED: 'key',
  KEYSTORE_ADDRESS_DIFFERS: 'key',
  KEYSTORE_MISSING: 'key',
  KEYSTORE_EXISTS: 'key',
  KEYSTORE_PERMISSIONS: 'key',
  PASSWORD_REFUSED: 'key',
  MNEMONIC_COUNT: 'key',
  MNEMONIC_WORD: 'key',
  MNEMONIC_CHECKSUM: 'key',
  RANDOMNESS_REFUSED: 'key',
  SIGNER_FAILED: 'key',
  KEY_IN_USE: 'keyInUse',
  STORE_LOCKED: 'storage',
  TOKEN_UNKNOWN: 'tokenUnknown',
  NETWORK_MISMATCH: 'wrongNetwork',
  NATIVE_TOKEN_UNKNOWN: 'answerInvalid',
  REQUEST_FAILED: 'apiUnreachable',
  REQUEST_TIMEOUT: 'apiUnreachable',
  SOCKET_FAILED: 'gatewayUnreachable',
  HTTP_STATUS: 'answerInvalid',
  RESPONSE_INVALID: 'answerInvalid',
  RESPONSE_TOO_LARGE: 'answerInvalid',
  CHAIN_INCONSISTENT: 'answerInvalid',
  DECIMALS_DIFFER: 'answerInvalid',
  FEE_ABOVE_CAP: 'paymentRefused',
  PAYMENT_DECLINED: 'paymentRefused',
  PAYMENT_ALTERED: 'paymentRefused',
  PAYMENT_CONFLICT: 'paymentRefused',
  PAYMENT_HOPELESS: 'paymentRefused',
  TRANSACTION_MALFORMED: 'paymentRefused',
  TRANSACTION_REFUSED: 'paymentRefused',
  TRANSACTION_UNCERTAIN: 'paymentUnsettled',
  TRANSACTION_TIMEOUT: 'paymentUnsettled',
  PAYMENTS_CLOSED: 'paymentUnsettled',
  JOURNAL_LOCKED: 'storage',
  JOURNAL_INVALID: 'storage',
  JOURNAL_DAMAGED: 'storage',
  JOURNAL_BEHIND: 'storage',
  JOURNAL_WRITE_FAILED: 'storage',
  KEYSTORE_LOCKED: 'storage',
  KEYSTORE_WRITE_FAILED: 'storage',
  PORT_IN_USE: 'portInUse',
}

/** Statuses below 500 that say nothing about the request, as those from 500 on. */
const PASSING = [408, 425, 429]

/** Returns the exit of a command that failed with this error. */
export function exitOf(error: unknown): Exit {
  if (!isNodeError(error)) return exits.unexpected
  if (isNodeError(error, 'HTTP_STATUS')) {
    const { status } = error.facts
    if (status >= 500 || PASSING.includes(status)) return exits.apiUnreachable
  }
  return exits[exitOfCode[error.code] ?? 'unexpected']
}
