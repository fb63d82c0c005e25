import { type FeeType, grossForNet, netAmount, parseJson, toAmount, transferFee } from '@hailstone/protocol'
import { asObject, asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'
import { asUnits } from '../ledger-reading.ts'

function compare(given: Case): readonly (string | null)[] {
  const rule = {
    feeType: Number(asUnits(given.fee_type)) as FeeType,
    feeValue: toAmount(asUnits(given.fee_value)),
    feeMinimum: toAmount(asUnits(given.fee_min)),
  }
  const total = asUnits(given.total_amount)
  const fee = transferFee(rule, total).toString()
  const net = netAmount(rule, total)
  return [
    difference('fee', asText(given.fee), fee),
    difference('net amount', asText(given.net_amount), net.toString()),
    difference('transferable', given.transferable, net >= 0n),
    ...answered(given, fee, net),
    ...wished(given, (wish) => netAmount(rule, grossForNet(rule, wish))),
  ]
}

/** The recorded answer of GET /tx has the same fee and net amount as texts. */
function answered(given: Case, fee: string, net: bigint): readonly (string | null)[] {
  if (typeof given.get_tx_body !== 'string') return []
  const body = asObject(parseJson(given.get_tx_body))
  return [
    difference('fee in the answer', body.fee, fee),
    difference('amount in the answer', body.amount, net.toString()),
  ]
}

/** A gross amount computed from a net amount must yield exactly that net amount. */
function wished(given: Case, grossed: (wish: bigint) => bigint): readonly (string | null)[] {
  if (given.client_net === undefined) return []
  const wish = asUnits(given.client_net)
  return [difference('net amount of the gross amount for a wish', wish, grossed(wish))]
}

export const check: Check = {
  kind: 'transfer fees',
  recognises: (file) => everyCaseHas(file, 'fee_type', 'fee_value', 'fee_min', 'total_amount', 'fee'),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
