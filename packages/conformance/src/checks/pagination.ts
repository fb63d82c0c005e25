import { historyPage, historyPageCount } from '@hailstone/local-network'
import {
  asList,
  asObject,
  asText,
  type Case,
  casesOf,
  difference,
  everyCaseHas,
  judge,
  nameOf,
} from '../case.ts'
import type { Check } from '../check.ts'
import { textOrNull } from '../ledger-reading.ts'

function compare(given: Case): readonly (string | null)[] {
  const [total = 0, page = 0, size = 0] = [given.total_records, given.page, given.page_size].map((value) =>
    Number(asText(value)),
  )
  const { from, to } = historyPage({ total, page, size })
  const count = Math.max(0, to - from + 1)
  const indexes = Array.from({ length: count }, (_, at) => String(to - at))
  const expected = asObject(given.expect)
  return [
    difference('has records', expected.has_records, total > 0),
    difference('indexes', asList(expected.indexes).map(asText), indexes),
    difference(
      'page count',
      textOrNull(expected.page_count),
      total === 0 ? null : String(historyPageCount(total, size)),
    ),
  ]
}

/** Records per page, and the number of pages that the network reports (PROTOCOL 3.5.11). */
export const check: Check = {
  kind: 'pages of a history',
  recognises: (file) => everyCaseHas(file, 'total_records', 'page', 'page_size', 'expect'),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
