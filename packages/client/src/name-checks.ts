import {
  assertArgument,
  isAmount,
  isTokenId,
  looksLikeAddress,
  looksLikeSignature,
  type Transaction,
} from '@hailstone/protocol'
import { type SettingKinds, wrongSetting } from '@hailstone/runtime'
import type { CreateClientCoreParameters } from './assemble-core.ts'
import type { CreateClientParameters } from './client.ts'
import type { ClientActions } from './client-actions.ts'
import type { NameChecks } from './diagnostics.ts'
import type { CreatePaymentsParameters } from './payments/create-payments.ts'
import type { FeeCap } from './payments/fee-cap.ts'
import type { PayParameters } from './payments/order.ts'
import type { RetryPolicy } from './transport/retry-policy.ts'
import type { TransportParameters } from './transport/transport.ts'

type Kinds = Readonly<Record<string, string | true>>

/**
 * Refuses a misspelt name of a setting, such as `apiURL`, which would be ignored, a value of another kind, such as
 * `timeoutMs: '5'`, and a number out of its range, such as `concurrency: 0`. Names that resemble none may belong to the
 * program, but for a closed table: of what concerns keys, money and accounts, every name is known.
 *
 * @param of completes "The parameter"
 * @param within stands before the name of a setting inside another
 * @param isClosed refuses every name that is not in the table
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
function assertKinds(of: string, settings: unknown, kinds: Kinds, within = '', isClosed = false): void {
  const wrong = wrongSetting({ of, settings, kinds, within, isClosed })
  if (wrong !== undefined) assertArgument(false, wrong.name, wrong.expected, wrong.found)
  for (const [name, [isRight, expected]] of Object.entries(ranges)) {
    const value: unknown = name in kinds ? Reflect.get(Object(settings), name) : undefined
    if (value !== undefined) assertArgument(isRight(value as number), within + name, expected, value)
  }
}

type Range = readonly [isRight: (value: number) => boolean, expected: string]

const count: Range = [(value) => Number.isSafeInteger(value) && value > 0, 'a whole number, 1 or above']
const positive: Range = [(value) => value > 0 && value < Number.POSITIVE_INFINITY, 'a number above 0']
const notNegative: Range = [(value) => value >= 0, 'a number, 0 or above']

/** Numbers with which something would end at once, run without a pause, or never begin. */
const ranges: Readonly<Record<string, Range>> = {
  concurrency: count,
  maxAttempts: count,
  connections: count,
  limitBytes: count,
  pollMs: positive,
  attemptTimeoutMs: positive,
  connectTimeoutMs: positive,
  maxAgeMs: notNegative,
  baseDelayMs: notNegative,
  maxDelayMs: notNegative,
  maxRetryAfterMs: notNegative,
  budgetCapacity: notNegative,
  budgetPerCall: notNegative,
}

const ofCore: SettingKinds<CreateClientCoreParameters> = {
  network: true,
  apiUrl: true,
  allowInsecure: 'boolean',
  requireEncryption: 'boolean',
  takesNewerData: 'boolean',
  transport: true,
  timeoutMs: 'number',
  retry: true,
  logger: true,
  clock: true,
  randomness: 'function',
}

const ofRetry: SettingKinds<RetryPolicy> = {
  maxAttempts: 'number',
  baseDelayMs: 'number',
  maxDelayMs: 'number',
  maxRetryAfterMs: 'number',
  budgetCapacity: 'number',
  budgetPerCall: 'number',
  attemptTimeoutMs: 'number',
}

const ofClient: SettingKinds<CreateClientParameters> = {
  ...ofCore,
  apiUrls: 'list',
  quorum: 'number',
  onDisagreement: 'function',
}

type GivenTo<Name extends keyof ClientActions> = NonNullable<Parameters<ClientActions[Name]>[0]>

/** Whole numbers, which the actions themselves check. */
type Whole = 'height' | 'fromHeight' | 'toHeight' | 'page'

/** `signal` stands in every one. */
type ActionKinds<Name extends keyof ClientActions> = SettingKinds<{
  readonly [Member in keyof GivenTo<Name> as Exclude<Member, 'signal'>]: Member extends Whole
    ? unknown
    : GivenTo<Name>[Member]
}>

const ofHistory = { address: true, page: true, maxAgeMs: 'number' } as const
const ofFields = {
  to: true,
  amount: true,
  tokenId: true,
  memo: 'string',
  contract: 'string',
  nonce: 'number',
} as const

/** Parameters of each action. */
const ofActions: { readonly [Name in keyof ClientActions]: ActionKinds<Name> } = {
  getHeight: {},
  getMacroblock: { height: true },
  getMacroblockByHash: { hash: true },
  getMacroblockOutline: { height: true },
  getKeyBlockHeight: { hash: true },
  getMicroblock: { hash: true, maxAgeMs: 'number' },
  getMicroblockHeader: { hash: true, maxAgeMs: 'number' },
  getTransaction: { hash: true },
  getPendingTransaction: { hash: true },
  getPoolSize: {},
  getRecordsOfHash: { hash: true },
  getAgentInfo: { address: true },
  getBalance: { address: true, tokenId: true },
  getHoldings: { address: true },
  getToken: { tokenId: true },
  getNativeToken: {},
  getNativeTokenId: {},
  getMiningRules: { tokenId: true },
  getTokenNames: {},
  getNetworkInfo: {},
  getOriginHash: {},
  getReferrerStake: {},
  getStakeLimits: {},
  getContractPrices: {},
  getExpectedReturn: { stake: true, tokenId: true },
  getStats: {},
  getLastBlocks: {},
  getMinersOnline: {},
  getTokenSlot: { tokenId: true },
  getRewards: ofHistory,
  getReferralRewards: ofHistory,
  getMiningRewards: ofHistory,
  getTransactions: ofHistory,
  rewardsOf: { address: true },
  referralRewardsOf: { address: true },
  miningRewardsOf: { address: true },
  transactionsOf: { address: true },
  prepareTransaction: { ...ofFields, from: true },
  sendTransaction: { ...ofFields, wallet: true, onSigned: 'function', idempotencyKey: 'string' },
  sendSignedTransaction: { transaction: true },
  waitForTransaction: { hash: true, timeoutMs: 'number', pollMs: 'number' },
  requestTestCoins: { address: true, tokenId: true, as: true },
  walkChain: {
    fromHeight: true,
    toHeight: true,
    direction: true,
    after: true,
    concurrency: 'number',
    requireComplete: 'boolean',
    onHole: 'function',
  },
  latestTransactions: {},
}

const ofPayments: SettingKinds<CreatePaymentsParameters> = {
  client: true,
  journal: true,
  wallet: true,
  feeCap: true,
  confirmations: 'number',
  pollMs: 'number',
  keepSettled: 'number',
  acceptDamage: 'boolean',
  clock: true,
  verify: 'function',
  failpoint: 'function',
  minOverwritten: 'number',
  signingTimeoutMs: 'number',
}

const ofPay: SettingKinds<PayParameters> = {
  to: true,
  amount: true,
  tokenId: true,
  memo: 'string',
  wallet: true,
  feeCap: true,
  reserve: 'bigint',
  consent: 'function',
  idempotencyKey: 'string',
  signal: 'signal',
}

const ofCap: SettingKinds<FeeCap> = { shareBps: 'bigint', units: 'bigint', nativeUnits: 'bigint' }

function assertClient(of: string, parameters: { readonly retry?: object | undefined }, kinds: Kinds): void {
  assertArgument(Object(parameters) === parameters, of, 'an object, such as { apiUrl }', parameters)
  assertKinds(of, parameters, kinds)
  assertKinds('of retry', parameters.retry, ofRetry, 'retry.')
}

const aText = (value: unknown): boolean => typeof value === 'string'
const isAnAddress = (value: unknown): boolean => looksLikeAddress(value as string)

/** Parameters of every transport of this package. */
export const ofTransport: SettingKinds<TransportParameters> = {
  apiUrl: true,
  allowInsecure: 'boolean',
  limitBytes: 'number',
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertTransport(of: string, parameters: TransportParameters, kinds: Kinds): void {
  assertArgument(Object(parameters) === parameters, of, 'an object, such as { apiUrl }', parameters)
  assertKinds(of, parameters, kinds)
}

/** The members of a signed transaction. How strict the network is, it says itself. */
const ofTransaction: {
  readonly [Name in keyof Transaction]: readonly [(value: unknown) => boolean, string]
} = {
  amount: [isAmount, "a bigint, such as 25n or parseAmount('25', token)"],
  data: [aText, 'a text'],
  from: [isAnAddress, 'an address'],
  nonce: [Number.isSafeInteger, 'a whole number'],
  tokenId: [isTokenId, 'a token id'],
  to: [isAnAddress, 'an address'],
  signature: [(value) => looksLikeSignature(value as string), 'a signature in hex'],
}

function assertSigned(transaction: object): void {
  for (const [name, [isRight, expected]] of Object.entries(ofTransaction)) {
    const value: unknown = Reflect.get(transaction, name)
    assertArgument(isRight(value), `transaction.${name}`, expected, value)
  }
}

/** The checks of Node and of pages that are built for development. */
export const nameChecks: NameChecks = {
  core: (parameters) => assertClient('of createClientCore', parameters, ofCore),
  client: (parameters) => assertClient('of createClient', parameters, ofClient),
  action: (name, given) => {
    const kinds: Kinds = { ...ofActions[name as keyof ClientActions], signal: 'signal' }
    // The answer of another action, such as what was sent, may be passed as it is.
    const isClosed = !(
      'hash' in kinds ||
      'fromHeight' in kinds ||
      'transaction' in kinds ||
      'wallet' in kinds ||
      'from' in kinds
    )
    assertKinds(`of ${name}`, given, kinds, '', isClosed)
    const { transaction } = Object(given)
    if (Object(transaction) === transaction) assertSigned(transaction)
  },
  payments: (parameters) => {
    assertKinds('of createPayments', parameters, ofPayments, '', true)
    assertKinds('of feeCap', parameters.feeCap, ofCap, 'feeCap.', true)
  },
  pay: (parameters) => assertKinds('of pay', parameters, ofPay),
  feeCap: (cap) => assertKinds('of feeCap', cap, ofCap, 'feeCap.', true),
}
