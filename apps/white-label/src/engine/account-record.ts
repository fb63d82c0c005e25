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
