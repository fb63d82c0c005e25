import { describe, expect, it } from 'vitest'
import { strengthOf } from './passphrase-strength.ts'

describe('the strength of a passphrase', () => {
  it('refuses what is tried first', () => {
    const tried = ['password', 'Password', 'P@ssw0rd', 'password123', 'Passwort1!', '12345678', '87654321']
    const more = [
      'qwertyuiop',
      'asdfghjkl',
      'abcdefgh',
      'aaaaaaaa',
      'abababab',
      'iloveyou',
      'letmein1',
      'bitcoin2024',
    ]
    for (const passphrase of [...tried, ...more])
      expect([passphrase, strengthOf(passphrase)]).toEqual([passphrase, 'easy'])
  })

  it('takes every passphrase of several words', () => {
    expect(strengthOf('seven drops of rain')).toBe('strong')
    expect(strengthOf('secret of the old miner')).toBe('strong')
    expect(strengthOf('sieben Tropfen im Regen')).toBe('strong')
  })

  it('calls a word or a name with a year or a number behind it weak', () => {
    const chosen = ['Tidewater2026!', 'Tidewater2026', 'Summer2026!', 'Michael1987', 'Hailstone123!']
    for (const passphrase of [...chosen, 'sommer 2026', '2026 Marie!', 'Zürich1987?'])
      expect([passphrase, strengthOf(passphrase)]).toEqual([passphrase, 'weak'])
    expect(strengthOf('correcthorsebatterystaple')).toBe('fair')
    expect(strengthOf('xK9#mQ2$vLp7')).toBe('strong')
  })

  it('tells a short one from a long one', () => {
    expect(strengthOf('hgrtplwz')).toBe('weak')
    expect(strengthOf('hG7tpl!z')).toBe('fair')
    expect(strengthOf('hG7tpl!zQw3#')).toBe('strong')
  })
})
