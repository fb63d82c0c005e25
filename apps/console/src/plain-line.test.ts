import { describe, expect, it } from 'vitest'
import { nameOf } from './people/person-store.ts'
import { plainLine } from './plain-line.ts'

describe('a text that people read', () => {
  it('has no character that hides, turns round or breaks what is read', () => {
    const line = plainLine(20)
    for (const text of ['Whale', 'Größe 5 %', 'Китай', '鲸鱼', '🐋 over 50 %'])
      expect(line.parse(text)).toBe(text)
    for (const hidden of ['\u202e', '\u200b', '\u2066', '\u2028', '\0', '\n', '\ud83d', '\udc0b'])
      expect(line.safeParse(`one${hidden}two`).error?.issues[0]?.message).toMatch(
        /^1 to 20 .* format characters$/,
      )
    for (const wrong of ['', ' ', 'x'.repeat(21)]) expect(line.safeParse(wrong).success).toBe(false)
  })

  it('is no name of a person that mixes letters that look alike', () => {
    for (const name of ['ada', 'Иван', 'Ελένη', 'Zoë O\u0027Neil', '阿达 ada'])
      expect(nameOf(name)).toBe(name)
    for (const name of ['\u0430da', 'ad\u0430', 'Иван ada', '\u03bfscar', 'Ελένη Иван'])
      expect(() => nameOf(name)).toThrow('letters of one alphabet')
    for (const name of ['a\u202eda', 'a\u200bda', 'a\ud83dda'])
      expect(() => nameOf(name)).toThrow('A name has')
  })
})
