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
 * `timeoutMs: '5'`, and a number out of its range, such as `concurrency: 0`. Names that resemble none may belong to the program.
 *
 * @param of completes "The parameter"
 * @param within stands before the name of a setting inside another
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
function assertKinds(of: string, settings: unknown, kinds: Kinds, within = ''): void {
  const wrong = wrongSetting({ of, settings, kinds, within })
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

type Given = NonNullable<Parameters<ClientActions[keyof ClientActions]>[0]>
type Keys<Settings> = Settings extends object ? keyof Settings : never
type ValueOf<Settings, Name> = Settings extends object
  ? Name extends keyof Settings
    ? Settings[Name]
    : never
  : never

/** Whole numbers, which the actions themselves check. */
type Whole = 'height' | 'fromHeight' | 'toHeight' | 'page'

/** Parameters of all actions: one that another action has is left alone. */
const ofActions: SettingKinds<{
  readonly [Name in Keys<Given>]: Name extends Whole ? unknown : ValueOf<Given, Name>
}> = {
  signal: 'signal',
  address: true,
  tokenId: true,
  as: true,
  stake: true,
  page: true,
  maxAgeMs: 'number',
  hash: true,
  height: true,
  from: true,
  to: true,
  amount: true,
  memo: 'string',
  contract: 'string',
  nonce: 'number',
  wallet: true,
  onSigned: 'function',
  idempotencyKey: 'string',
  transaction: true,
  timeoutMs: 'number',
  pollMs: 'number',
  fromHeight: true,
  toHeight: true,
  direction: true,
  after: true,
  concurrency: 'number',
  requireComplete: 'boolean',
  onHole: 'function',
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
const isAnAddress = (value: unknown): boolean => looksLikeAddress(String(value))

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
  signature: [(value) => looksLikeSignature(String(value)), 'a signature in hex'],
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
    assertKinds(`of ${name}`, given, ofActions)
    const { transaction } = Object(given)
    if (Object(transaction) === transaction) assertSigned(transaction)
  },
  payments: (parameters) => {
    assertKinds('of createPayments', parameters, ofPayments)
    assertKinds('of feeCap', parameters.feeCap, ofCap, 'feeCap.')
  },
  pay: (parameters) => assertKinds('of pay', parameters, ofPay),
  feeCap: (cap) => assertKinds('of feeCap', cap, ofCap, 'feeCap.'),
}
