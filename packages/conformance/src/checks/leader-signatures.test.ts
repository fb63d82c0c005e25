import { readFile } from 'node:fs/promises'
import { parseJson } from '@hailstone/protocol'
import { masterPublicKeyOf } from '@hailstone/protocol/leader'
import { describe, expect, it } from 'vitest'
import { asText, type Case, casesOf } from '../case.ts'
import { check } from './leader-signatures.ts'

const file = parseJson(await readFile(new URL('../../vectors/leader_sign.json', import.meta.url), 'utf8'))
const cases = casesOf(file)
const ofMode = (mode: string) => cases.filter((given) => given.mode === mode)
const verdicts = async (given: readonly Case[]) =>
  (await check.run({ cases: given }, { files: [] })).map(({ verdict }) => verdict)

describe('vectors/leader_sign.json', () => {
  it('is recognised', () => expect(check.recognises(file)).toBe(true))

  it('passes in every case of every mode, none skipped', async () => {
    const outcomes = await check.run(file, { files: [] })
    expect(outcomes).toHaveLength(16)
    expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
    const modes = ['microblock', 'macroblock', 'hashes only', 'hash_to_point', 'pairing']
    expect(modes.map((mode) => ofMode(mode).length)).toEqual([8, 2, 1, 4, 1])
  })

  it('fails in every case once its expectation is another', async () => {
    const turned = cases.map((given): Case => {
      if (typeof given.valid === 'boolean') return { ...given, valid: !given.valid }
      return given.mode === 'pairing' ? { ...given, k: '2' } : { ...given, increments: 9n }
    })
    expect(new Set(await verdicts(turned))).toEqual(new Set(['failed']))
  })

  it('fails in a mode it does not know', async () => {
    expect(await verdicts([{ name: 'x', mode: 'short' }])).toEqual(['failed'])
  })

  it('names the master secret of the published example, which leads to its public key', () => {
    const [published] = ofMode('hashes only')
    expect(asText(published?.note)).toContain('10000000')
    expect(masterPublicKeyOf(10_000_000n)).toEqual(published?.mpk)
  })
})
