import { describe, expect, it } from 'vitest'
import { paceOf, unitsIn } from './earnings-pace.ts'

const day = (minutes: number, units: bigint) => ({ startMs: 0, minutes, units })

describe('the own pace', () => {
  it('needs three days with an hour of mining each', () => {
    expect(paceOf([])).toBeNull()
    expect(paceOf([day(600, 5n), day(600, 5n), day(59, 5n)])).toBeNull()
    expect(paceOf([day(600, 5n), day(600, 5n), day(60, 5n)])?.days).toBe(3)
  })

  it('is a range of days by what an hour brought, not by what the day brought', () => {
    const pace = paceOf([day(1200, 1000n), day(60, 90n), day(600, 300n), day(120, 20n)])
    expect(pace?.lowest).toEqual({ units: 20n, minutes: 120n })
    expect(pace?.middle).toEqual({ units: 300n, minutes: 600n })
    expect(pace?.highest).toEqual({ units: 90n, minutes: 60n })
    expect(pace?.minutesADay).toBe(495)
  })

  it('counts days that brought nothing', () => {
    expect(paceOf([day(60, 0n), day(60, 6n), day(60, 12n)])?.lowest.units).toBe(0n)
  })

  it('is exact for amounts that no number holds, and never rounded up', () => {
    const units = 123_456_789_012_345_678_901n
    expect(unitsIn({ units, minutes: 60n }, 24n * 60n)).toBe(units * 24n)
    expect(unitsIn({ units: 1n, minutes: 60n }, 59n)).toBe(0n)
  })
})
