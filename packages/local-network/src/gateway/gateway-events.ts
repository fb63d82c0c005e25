import type { PublicationJudgement } from '@hailstone/ledger'
import type { Address, Hash, JsonValue } from '@hailstone/protocol'

/** Events of the gateway, for counters. */
export type GatewayEvents = {
  /** A genuine beacon left for a miner; faults may still keep it back or change it. */
  readonly beaconOffered: { readonly address: Address; readonly microblockHash: Hash }
  readonly publicationJudged: {
    /** Null before a hail. */
    readonly address: Address | null
    /** Hash as the miner wrote it. */
    readonly microblockHash: JsonValue | undefined
    readonly verdict: PublicationJudgement['verdict']
    /** Null for accepted ones. */
    readonly reason: string | null
  }
}
