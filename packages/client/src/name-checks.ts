import { assertArgument } from '@hailstone/protocol'
import { misspeltName } from '@hailstone/runtime'
import type { CreateClientCoreParameters } from './assemble-core.ts'
import type { CreateClientParameters } from './client.ts'
import type { ClientActions } from './client-actions.ts'
import type { NameChecks } from './diagnostics.ts'
import type { CreatePaymentsParameters } from './payments/create-payments.ts'
import type { FeeCap } from './payments/fee-cap.ts'
import type { PayParameters } from './payments/make-payment.ts'

/** Every name of the settings, so that a new one does not compile before it stands here. */
type NamesOf<Settings> = { readonly [Name in keyof Settings]-?: true }

/**
 * Refuses a misspelt name of a setting, such as `apiURL`, which would be ignored. Names that resemble none may belong to
 * the program.
 *
 * @param of completes "The parameter"
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
function assertNames(of: string, settings: unknown, names: Readonly<Record<string, true>>): void {
  const { found, meant } = misspeltName(Object(settings), names) ?? {}
  assertArgument(meant === undefined, of, `named ${meant}`, found)
}

const ofCore: NamesOf<CreateClientCoreParameters> = {
  network: true,
  apiUrl: true,
  allowInsecure: true,
  requireEncryption: true,
  takesNewerData: true,
  transport: true,
  timeoutMs: true,
  retry: true,
  logger: true,
  clock: true,
  randomness: true,
}

const ofClient: NamesOf<CreateClientParameters> = {
  ...ofCore,
  apiUrls: true,
  quorum: true,
  onDisagreement: true,
}

type Given = NonNullable<Parameters<ClientActions[keyof ClientActions]>[0]>
type Keys<Settings> = Settings extends object ? keyof Settings : never

/** Parameters of all actions: one that another action has is left alone. */
const ofActions: { readonly [Name in Keys<Given>]-?: true } = {
  signal: true,
  address: true,
  tokenId: true,
  stake: true,
  page: true,
  maxAgeMs: true,
  hash: true,
  height: true,
  from: true,
  to: true,
  amount: true,
  memo: true,
  contract: true,
  nonce: true,
  wallet: true,
  onSigned: true,
  transaction: true,
  timeoutMs: true,
  pollMs: true,
  fromHeight: true,
  toHeight: true,
  direction: true,
  after: true,
  concurrency: true,
  requireComplete: true,
  onHole: true,
}

const ofPayments: NamesOf<CreatePaymentsParameters> = {
  client: true,
  journal: true,
  wallet: true,
  feeCap: true,
  confirmations: true,
  pollMs: true,
  keepSettled: true,
  acceptDamage: true,
  clock: true,
  verify: true,
  failpoint: true,
  minOverwritten: true,
  signingTimeoutMs: true,
}

const ofPay: NamesOf<PayParameters> = {
  to: true,
  amount: true,
  tokenId: true,
  memo: true,
  wallet: true,
  feeCap: true,
  consent: true,
  idempotencyKey: true,
  signal: true,
}

const ofCap: NamesOf<FeeCap> = { shareBps: true, units: true, nativeUnits: true }

/** The checks of Node and of pages that are built for development. */
export const nameChecks: NameChecks = {
  core: (parameters) => assertNames('of createClientCore', parameters, ofCore),
  client: (parameters) => assertNames('of createClient', parameters, ofClient),
  action: (name, given) => assertNames(`of ${name}`, given, ofActions),
  payments: (parameters) => assertNames('of createPayments', parameters, ofPayments),
  pay: (parameters) => assertNames('of pay', parameters, ofPay),
  feeCap: (cap) => assertNames('of feeCap', cap, ofCap),
}
