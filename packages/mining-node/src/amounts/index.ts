// What people type, read, and what a rule pays: apart from the default entry, whose pages count every byte.
export { amountText, formatAmount, parseAddress, parseAmount, toAmount } from '@hailstone/protocol'
export {
  decidePayout,
  type Payout,
  type PayoutDecision,
  type PayoutFacts,
  type PayoutFault,
  type PayoutObstacle,
  type PayoutRule,
  payoutFault,
} from './decide-payout.ts'
export {
  type ConfirmedReceiver,
  type PayOutParameters,
  type PayoutOutcome,
  type PayoutReadings,
  payOut,
  payoutReadings,
} from './pay-out.ts'
