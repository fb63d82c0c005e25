import { isNodeError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { nastyCopy, nastyJson } from '../../../local-network/test/fuzz/nasty.ts'
import { chance } from '../../../local-network/test/fuzz/random.ts'
import { goodBrand, goodSource } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { runtimeBrand } from '../generators/runtime-brand.ts'
import { readRuntimeBrand } from './read-runtime-brand.ts'

/** Larger size: HAILSTONE_FUZZ_CASES=1000000 npx vitest run src/runtime */
const CASES = gateSize('HAILSTONE_FUZZ_CASES', 20_000)
const HOURS_MS = 12 * 3_600_000

const refusedByCode = (read: () => unknown): void => {
  try {
    read()
  } catch (error) {
    if (!isNodeError(error, 'CONFIGURATION_INVALID')) throw error
  }
}

it(
  `G-11: of ${CASES} mangled brands that were built each is read, or refused by code`,
  () => {
    const { brand } = checkBrand({ source: goodSource })
    if (brand === null) throw new Error('the good brand is good')
    const right = JSON.parse(JSON.stringify(runtimeBrand(brand, goodSource.files))) as unknown
    const luck = chance(11)
    let read = 0
    for (let number = 0; number < CASES; number++) {
      const text = nastyJson(luck, luck.isLucky(0.2) ? right : nastyCopy(luck, right))
      refusedByCode(() => {
        readRuntimeBrand(text)
        read++
      })
    }
    expect(read).toBeGreaterThan(CASES / 20)
    expect(Object.keys(Object.prototype)).toEqual([])
  },
  HOURS_MS,
)

it(
  `G-11: ${CASES} mangled brand files get a report, and none is written to a prototype`,
  () => {
    const luck = chance(12)
    let findings = 0
    for (let number = 0; number < CASES; number++) {
      const text = nastyJson(luck, nastyCopy(luck, goodBrand))
      let config: unknown = text
      try {
        config = JSON.parse(text)
      } catch {
        // Not JSON at all: programs may pass any text.
      }
      findings += checkBrand({ source: { ...goodSource, config } }).findings.length
    }
    expect(findings).toBeGreaterThan(CASES)
    expect(Object.keys(Object.prototype)).toEqual([])
  },
  HOURS_MS,
)
