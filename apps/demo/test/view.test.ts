import { stripVTControlCharacters } from 'node:util'
import type { Address } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { accountsTable } from '../src/accounts-table.ts'
import { createNoteList } from '../src/note-list.ts'
import { referralReason } from '../src/participants.ts'
import { type DemoView, renderPages, renderView } from '../src/view.ts'

const participant = {
  address: `02${'ab'.repeat(32)}`,
  status: 'mining',
  why: '',
  signed: 3,
  included: 2,
  balance: 255_000_000_000n,
  rewards: 12n,
  referralRewards: 0n,
}
const view: DemoView = {
  height: 7,
  blockTimeMs: 5000,
  blockAgeMs: 1200,
  symbol: 'DEV',
  decimals: 10,
  urls: [
    ['Explorer', 'http://127.0.0.1:4410/'],
    ['API', 'http://127.0.0.1:4410/api/v1'],
    ['Reference', 'http://127.0.0.1:4410/docs'],
    ['Gateway', 'ws://127.0.0.1:4411'],
    ['Sample app', 'http://127.0.0.1:4412/'],
    ['Mining app', 'http://127.0.0.1:4413/'],
  ],
  participants: [
    { ...participant, name: 'Agent' },
    { ...participant, name: 'Miner' },
  ],
}
const notes = Array.from({ length: 50 }, (_, at) => `note ${at}`)
const linesFor = (rows: number, columns = 100): readonly string[] =>
  renderView(view, { rows, columns, notes, isInteractive: true }).map(stripVTControlCharacters)

describe('the live screen', () => {
  it.each([
    [24, 80],
    [20, 60],
    [60, 200],
  ])('fits %i rows of %i columns, with the height, the addresses and the newest notes', (rows, columns) => {
    const lines = linesFor(rows, columns)
    expect(lines.length).toBeLessThanOrEqual(rows)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    const whole = new Set(linesFor(rows, 1_000))
    const cut = lines.filter((line) => !whole.has(line))
    for (const line of cut) expect(line).toMatch(/^.+…$/)
    expect(lines[0]).toContain('height 7')
    expect(lines.join('\n')).toContain('http://127.0.0.1:4410/docs')
    expect(lines).toContain('note 49')
    // All that the two participants note of one block.
    expect(lines).toContain('note 44')
    expect(lines.at(-1)).toContain('k shows the accounts')
  })

  it('keeps the height and the line that ends it however small the terminal is', () => {
    for (let rows = 2; rows < 40; rows++) {
      const lines = linesFor(rows, 30)
      expect(lines.length).toBeLessThanOrEqual(rows)
      expect(lines[0]).toContain('height 7')
      expect(lines.at(-1)).toContain('k shows')
    }
  })

  it('shows height, state, signed, included, balance and rewards', () => {
    const text = linesFor(60).join('\n')
    expect(text).toContain('height 7   last block 1 s ago   a block every 5 s')
    expect(text).toContain('signed 3, included 2   balance 25.5 DEV')
    expect(text).toContain('rewards 0.000000…   referral rewards 0 DEV')
  })
})

it.each([
  ['agent', 'for inviting Miner'],
  ['referral', "for joining with Agent's code"],
  ['tokenOwner', 'as the owner of the token'],
] as const)('a referral reward of the role %s is described as %s', (role, sentence) => {
  const miner = participant.address as Address
  expect(referralReason({ role, miner }, (address) => (address === miner ? 'Miner' : undefined))).toBe(
    sentence,
  )
})

it('a list of notes keeps the newest and does not grow', () => {
  const list = createNoteList({ limit: 100 })
  for (let note = 0; note < 10_000; note++) list.add(String(note))
  expect(list.newest(1_000_000)).toHaveLength(100)
  expect(list.newest(2)).toEqual(['9998', '9999'])
  expect(list.newest(0)).toEqual([])
})

it('the table of accounts has a line for each address and key, and a warning', () => {
  const privateKey = '11'.repeat(32)
  const text = accountsTable({
    accounts: [
      { ...participant, name: 'developer-1', privateKey, balance: 10n ** 14n, usedBy: 'Agent' },
      { ...participant, name: 'developer-2', privateKey, balance: 5n, usedBy: null },
    ],
    symbol: 'DEV',
    decimals: 10,
  })
  expect(text.split('\n').slice(1, 4)).toEqual([
    '  developer-1  10000 DEV  (Agent)',
    `    address ${participant.address}`,
    `    key     ${privateKey}`,
  ])
  expect(text).toContain('  developer-2  0.0000000005 DEV\n')
  expect(text).toContain('never use them on a public network')
})

it('pages of the accounts fit the terminal, and no key is cut', () => {
  const privateKey = '12'.repeat(32)
  const accounts = Array.from({ length: 5 }, (_, at) => ({
    ...participant,
    name: `developer-${at}`,
    privateKey,
    balance: 1n,
    usedBy: null,
  }))
  const table = accountsTable({ accounts, symbol: 'DEV', decimals: 10 })
  for (const [columns, rows] of [
    [80, 24],
    [60, 20],
    [40, 5],
  ] as const) {
    const pages = renderPages(table, { columns, rows })
    for (const lines of pages) expect(lines.length).toBeLessThanOrEqual(rows)
    const text = pages.flatMap((lines) => lines.slice(0, -1)).join('')
    expect(text.match(new RegExp(privateKey, 'g'))).toHaveLength(5)
  }
})
