import type { Address } from '@hailstone/mining-node'
import type { SetupStep } from './engine-state.ts'

/** Stored public data of an account. */
export type AccountRecord = {
  readonly address: Address
  readonly step: SetupStep
  readonly isNew: boolean
  readonly isBackedUp: boolean
  /** True if the key is stored in the vault, behind a passphrase; false if it is stored unprotected. */
  readonly isSealed: boolean
  /** True if an earlier version stored the key without protection before it was sealed. */
  readonly wasExposed?: boolean
}

export type AccountRules = {
  /** True if the key may be stored without a passphrase: the token has no value and the brand allows it. */
  readonly mayStayUnprotected: boolean
  /** True if the first run asks for a referral agent after the backup. */
  readonly hasAgentStep: boolean
  /** False if the brand has no passkeys: one that was set up in an earlier build is removed. */
  readonly mayHavePasskey: boolean
  /** Pages of partners that may ask people to sign in. */
  readonly signInPages: readonly string[]
  /** True if a second account may be added. */
  readonly mayHaveSeveral: boolean
}
