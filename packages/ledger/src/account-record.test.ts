import type { Hash } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { type AccountRecord, numberRecords, type RecordType } from './account-record.ts'

const record = (account: string, type: RecordType): AccountRecord => ({
  account,
  type,
  hash: 'aa' as Hash,
  value: 1n,
})

const numbers = (records: readonly AccountRecord[], countOf: Parameters<typeof numberRecords>[1]) =>
  numberRecords(records, countOf).map(({ number, kindNumber, typeNumber }) => [
    number,
    kindNumber,
    typeNumber,
  ])

describe('numberRecords', () => {
  it('counts every account from zero, transactions and rewards apart', () => {
    const records = [
      record('a', 'iin'),
      record('a', 'iout'),
      record('b', 'im'),
      record('a', 'im'),
      record('a', 'iin'),
    ]
    expect(numbers(records, () => 0)).toEqual([
      [0, 0, 0],
      [1, 1, 0],
      [0, 0, 0],
      [2, 0, 0],
      [3, 2, 1],
    ])
  })

  it('goes on after what is stored', () => {
    const stored = { all: 7, rewards: 4, transactions: 3, im: 2 }
    const countOf = (_: string, list: string) => stored[list as keyof typeof stored] ?? 0
    expect(numbers([record('a', 'im'), record('a', 'iin')], countOf)).toEqual([
      [7, 4, 2],
      [8, 3, 0],
    ])
  })
})
