import { expect, it } from 'vitest'
import {
  CHANGES,
  does,
  isAccountCall,
  isRefusedLocked,
  meansShown,
  STORES,
  signalPlaceOf,
} from './local-calls.ts'

it.each([
  ['stop', false],
  ['unlock', false],
  ['lock', false],
  ['getHeight', false],
  ['start', true],
  ['words', true],
  ['exportFile', true],
  ['rewardRange', true],
])('a locked tab that hides everything is asked for %s', (name, isRefused) => {
  expect(isRefusedLocked(name)).toBe(isRefused)
})

it.each([
  ['exportKey', true],
  ['start', true],
  ['rewardRange', true],
  ['activate', false],
  ['unsettledPayments', false],
  ['getHeight', false],
])('%s means the account that is shown or any', (name, isMeant) => {
  expect(meansShown(name)).toBe(isMeant)
})

it('a page may not call what hands out the wallet, nor a name that every object has', () => {
  for (const name of ['wallet', 'state', 'address', 'tabLock', 'constructor', 'toString', '__proto__']) {
    expect(isAccountCall(name)).toBe(false)
    expect(does(name, CHANGES | STORES)).toBe(false)
    expect(signalPlaceOf(name)).toBeUndefined()
  }
})
