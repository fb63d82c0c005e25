import type { Check } from '../check.ts'
import * as amounts from './amounts.ts'
import * as apiResponses from './api-responses.ts'
import * as contractData from './contract-data.ts'
import * as fees from './fees.ts'
import * as gatewayMessages from './gateway-messages.ts'
import * as keys from './keys.ts'
import * as leaderSignatures from './leader-signatures.ts'
import * as ledger from './ledger.ts'
import * as merkleRoots from './merkle-roots.ts'
import * as microblockHashes from './microblock-hashes.ts'
import * as pagination from './pagination.ts'
import * as postTransaction from './post-tx.ts'
import * as publishAcceptance from './publish-acceptance.ts'
import * as recordedHttp from './recorded-http.ts'
import * as recordedLedger from './recorded-ledger.ts'
import * as referral from './referral.ts'
import * as rewards from './rewards.ts'
import * as signatures from './signatures.ts'
import * as transactionHashes from './transaction-hashes.ts'

/** Every kind of file that the command recognises. */
export const checks: readonly Check[] = [
  keys.check,
  referral.check,
  amounts.check,
  transactionHashes.check,
  signatures.check,
  microblockHashes.check,
  microblockHashes.statBlockCheck,
  merkleRoots.check,
  fees.check,
  contractData.check,
  ledger.check,
  rewards.check,
  recordedLedger.check,
  postTransaction.check,
  apiResponses.check,
  pagination.check,
  recordedHttp.check,
  gatewayMessages.check,
  publishAcceptance.check,
  leaderSignatures.check,
]
