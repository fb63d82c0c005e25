import { expect, it } from 'vitest'
import { column, type Figure } from '../figures/figure.ts'
import { csvWriter } from './csv.ts'

function csvOf({ columns, rows }: Figure, options: Parameters<typeof csvWriter>[1]): string {
  const { head, add, end } = csvWriter(columns, options)
  return Buffer.concat([head, add(rows), end()]).toString()
}

it('writes coins with a point, and their sum in the last line of a table of days', () => {
  const columns = [column('day', 'Day', 'day'), column('paid', 'Paid', 'amount'), column('count', 'Count')]
  const rows = [
    ['2026-01-05', '15000000001', 2],
    ['2026-01-06', '9007199254740993', null],
  ]
  expect(csvOf({ columns, rows }, { decimals: 10 })).toBe(
    'Day,Paid,Count\r\n2026-01-05,1.5000000001,2\r\n2026-01-06,900719.9254740993,\r\nTotal,900721.4254740994,\r\n',
  )
})

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-2', "'-2"],
  ['@sum', "'@sum"],
  ['\tx', '"\'\tx"'],
  ['x;=1+1;', '"x;\'=1+1;"'],
  ['＝1+1', "'＝1+1"],
  ['a,"b"', '"a,""b"""'],
  ['two\nlines', '"two\nlines"'],
  [';=1', '";\'=1"'],
  [' =1', "' =1"],
  ['x;"=1', '"x;\'""=1"'],
  ['-5', "'-5"],
])('lets no program for tables run %j', (text, written) => {
  const columns = [column('label', 'Label', 'text')]
  expect(csvOf({ columns, rows: [[text]] }, { decimals: 0 })).toBe(`Label\r\n${written}\r\n`)
})

it('sums no list of payments, some of which were rejected', () => {
  const columns = [
    column('day', 'Day', 'day'),
    column('amount', 'Amount', 'amount'),
    column('status', 'Status', 'text'),
  ]
  const rows = [['2026-01-05', '990', 'rejected']]
  expect(csvOf({ columns, rows }, { decimals: 0 })).toBe('Day,Amount,Status\r\n2026-01-05,990,rejected\r\n')
})

it('leaves numbers below zero numbers, and begins with a mark where one is asked for', () => {
  const columns = [
    column('change', 'Change', 'amount'),
    column('count', 'Count'),
    column('share', 'Share', 'percent'),
  ]
  const rows = [['-25', -3, '-1.5']]
  expect(csvOf({ columns, rows }, { decimals: 1 })).toBe('Change,Count,Share\r\n-2.5,-3,-1.5\r\n')
  expect(csvOf({ columns, rows }, { decimals: 1, hasMark: true })).toBe(
    '\uFEFFChange,Count,Share\r\n-2.5,-3,-1.5\r\n',
  )
})
