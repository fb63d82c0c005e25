/** What of the library the simulator runs and stands in for. Everything here is public. */
export {
  createClient,
  createFailoverTransport,
  createPayments,
  type JournalStore,
  openFileJournal,
  type PaymentInfo,
  type PaymentSigner,
  type Payments,
  type Transport,
} from '@hailstone/client'
export { type CursorStore, createMiningNode, type OpenChannel } from '@hailstone/mining-node'
