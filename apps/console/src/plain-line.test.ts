import { describe, expect, it } from 'vitest'
import { plainLine } from './plain-line.ts'

describe('a text that people read', () => {
  it('has no character that hides, turns round or breaks what is read', () => {
    const line = plainLine(20)
    for (const text of ['Whale', 'Größe 5 %', 'Китай', '鲸鱼', '🐋 over 50 %', 'می\u200cشود', '👩\u200d💻'])
      expect(line.parse(text)).toBe(text)
    for (const hidden of [
      '\u202e',
      '\u200b',
      '\u2066',
      '\u2028',
      '\0',
      '\n',
      '\ud83d',
      '\u3164',
      '\u034f',
      '\u200d',
    ])
      expect(line.safeParse(`one${hidden}two`).error?.issues[0]?.message).toMatch(
        /^1 to 20 .* none of them hidden$/,
      )
    for (const wrong of ['', ' ', 'x'.repeat(21)]) expect(line.safeParse(wrong).success).toBe(false)
  })
})
