import { describe, expect, it } from 'vitest'
import {
  addedQuietHours,
  type Conditions,
  type MiningPolicy,
  pauseReason,
  stricterPolicy,
} from './mining-policy.ts'

const free: MiningPolicy = { wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: [] }
const fine: Conditions = {
  hasConsent: true,
  isOnline: true,
  isMetered: false,
  isCharging: true,
  battery: 100,
}
const at = (time: string): Date => new Date(`2026-03-02T${time}:00`)
const reason = (policy: Partial<MiningPolicy>, conditions: Partial<Conditions>, time = '12:00') =>
  pauseReason({ ...free, ...policy }, { ...fine, ...conditions }, at(time))

describe('A6: mining pauses', () => {
  it('while terms or an age wait for an answer, whatever else is the case', () => {
    expect(reason({}, { hasConsent: false })).toBe('consent')
    expect(reason({}, { hasConsent: false, isOnline: false })).toBe('consent')
  })

  it('in a package while the person holds it or the device is hot', () => {
    expect(reason({}, { isHeld: true, isOnline: false })).toBe('held')
    expect(reason({}, { isHot: true })).toBe('heat')
    expect(reason({}, { isHot: false, isHeld: false })).toBeNull()
  })

  it('without a network, whatever the choices', () => {
    expect(reason({}, { isOnline: false })).toBe('offline')
    expect(reason({}, {})).toBeNull()
  })

  it('on a metered link only where that was chosen', () => {
    expect(reason({ wifiOnly: true }, { isMetered: true })).toBe('metered')
    expect(reason({ wifiOnly: false }, { isMetered: true })).toBeNull()
  })

  it('on battery below the chosen share, and not on the charger', () => {
    expect(reason({ minBattery: 15 }, { isCharging: false, battery: 14 })).toBe('battery')
    expect(reason({ minBattery: 15 }, { isCharging: false, battery: 15 })).toBeNull()
    expect(reason({ minBattery: 15 }, { isCharging: true, battery: 1 })).toBeNull()
    expect(reason({ chargingOnly: true }, { isCharging: false })).toBe('notCharging')
    expect(reason({ chargingOnly: true }, { isCharging: true })).toBeNull()
  })

  it('for nothing that the browser does not say', () => {
    const unknown = { isMetered: null, isCharging: null, battery: null }
    expect(reason({ wifiOnly: true, chargingOnly: true, minBattery: 90 }, unknown)).toBeNull()
  })

  it.each([
    ['22:00', '07:00', '21:59', null],
    ['22:00', '07:00', '22:00', 'quietHours'],
    ['22:00', '07:00', '00:00', 'quietHours'],
    ['22:00', '07:00', '06:59', 'quietHours'],
    ['22:00', '07:00', '07:00', null],
    ['12:00', '13:00', '11:59', null],
    ['12:00', '13:00', '12:00', 'quietHours'],
    ['12:00', '13:00', '13:00', null],
  ])('from %s to %s: at %s it is %s', (from, to, time, expected) => {
    expect(reason({ quietHours: [{ from, to }] }, {}, time)).toBe(expected)
  })
})

describe('the policy of a brand', () => {
  const night = { from: '22:00', to: '07:00' }
  const noon = { from: '12:00', to: '13:00' }
  const brand: MiningPolicy = {
    wifiOnly: true,
    chargingOnly: false,
    minBattery: 20,
    quietHours: [night, noon],
  }

  it('is made stricter by people, and never looser', () => {
    expect(stricterPolicy(brand, free)).toEqual(brand)
    const school = { from: '08:00', to: '15:00' }
    const chosen = { wifiOnly: false, chargingOnly: true, minBattery: 50, quietHours: [school, noon] }
    expect(stricterPolicy(brand, chosen)).toEqual({
      wifiOnly: true,
      chargingOnly: true,
      minBattery: 50,
      quietHours: [night, noon, school],
    })
  })

  it('keeps its quiet hours apart from those that are added', () => {
    const school = { from: '08:00', to: '15:00' }
    const added = addedQuietHours({ quietHours: [noon, school, night] }, brand.quietHours)
    expect(added).toEqual([school])
  })
})
