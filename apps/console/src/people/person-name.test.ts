import { expect, it } from 'vitest'
import { nameOf } from './person-name.ts'

it('takes names of any alphabet, and a name of words in several', () => {
  for (const name of [
    'ada',
    'Иван',
    'Ελένη',
    "Zoë O'Neil",
    '阿达 ada',
    'Иван_ops@example.org',
    'Müller-Łukasz',
  ])
    expect(nameOf(name)).toBe(name)
})

it('refuses a word of letters that look alike', () => {
  for (const name of ['\u0430da', 'ad\u0430', 'Иваn', '\u03bfscar'])
    expect(() => nameOf(name)).toThrow('letters of one alphabet')
})

it('refuses what nobody sees', () => {
  for (const hidden of ['\u202e', '\u200b', '\ud83d', '\ufe0f', '\u034f', '\u3164', '\u00ad'])
    expect(() => nameOf(`a${hidden}da`)).toThrow('A name has')
  expect(() => nameOf('\u3164')).toThrow('A name has')
})
