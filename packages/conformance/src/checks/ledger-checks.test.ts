import { readFile } from 'node:fs/promises'
import { parseJson } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import type { Check } from '../check.ts'
import { check as contractData } from './contract-data.ts'
import { check as fees } from './fees.ts'
import { check as ledger } from './ledger.ts'
import { check as recordedLedger } from './recorded-ledger.ts'
import { check as referral } from './referral.ts'
import { check as rewards } from './rewards.ts'

const checks: readonly Check[] = [fees, referral, contractData, ledger, rewards, recordedLedger]

const givenFiles: readonly (readonly [path: string, check: Check])[] = [
  ['vectors/fees.json', fees],
  ['vectors/referral.json', referral],
  ['vectors/contract_data.json', contractData],
  ['vectors/ledger.json', ledger],
  ['vectors/rewards.json', rewards],
  ['recorded/ledger-1.json', recordedLedger],
  ['recorded/ledger-2.json', recordedLedger],
  ['recorded/ledger-3.json', recordedLedger],
  ['recorded/ledger-4.json', recordedLedger],
]

const read = async (path: string) =>
  parseJson(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'))

describe.each(givenFiles)('%s', (path, check) => {
  it(`is recognised as ${check.kind} and as nothing else`, async () => {
    const file = await read(path)
    expect(checks.filter(({ recognises }) => recognises(file))).toEqual([check])
  })

  it('passes in every case', async () => {
    const outcomes = await check.run(await read(path), { files: [] })
    expect(outcomes.length).toBeGreaterThan(20)
    expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  })
})
