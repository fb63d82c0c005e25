import { sha256Hex } from '@hailstone/protocol'
import { writtenText } from '@hailstone/runtime/node'
import { describe, expect, it } from 'vitest'
import { assertKeystoreForm, keyIn, phraseIn } from './key-text.ts'

const key = sha256Hex('a key')

describe('the key in a text that a person wrote', () => {
  it.each<[string, string]>([
    ['alone', key],
    ['below empty lines', `\n \n${key}\n`],
    ['between notes', `# mine\n${key}\n# until May`],
    ['above a line that is no key', `${key}\nof the first miner`],
    ['twice', `${key}\n${key}\n`],
  ])('is found %s', (_, text) => {
    expect(keyIn(text)).toBe(key)
  })

  it.each<[string, string, RegExp]>([
    ['a keystore', '{"version":1}', /keystore/],
    ['several keys', `${key}\n${sha256Hex('other')}`, /several keys/],
  ])('is refused where the text is %s', (_, text, reason) => {
    expect(() => keyIn(text)).toThrow(reason)
  })
})

it('a keystore of Ethereum is refused by its name, another one is not', () => {
  expect(() => assertKeystoreForm('{"version":3,"Crypto":{}}')).toThrow(/Ethereum/)
  expect(() => assertKeystoreForm('{"version":3}')).not.toThrow()
  expect(() => assertKeystoreForm('{"version')).not.toThrow()
})

it('a recovery phrase is found over several lines', () => {
  expect(phraseIn('one two\n  three')).toBe('one two three')
  expect(phraseIn(`note\n${key}`)).toBeNull()
  expect(phraseIn('one')).toBeNull()
})

describe('a text that a person wrote', () => {
  it.each<[string, Buffer]>([
    ['with a mark', Buffer.from('\ufeffa\r\nb')],
    ['in UTF-16', Buffer.from('\ufeffa\r\nb', 'utf16le')],
    ['in UTF-16 with the larger byte first', Buffer.from('\ufeffa\rb', 'utf16le').swap16()],
    ['with old line ends', Buffer.from('a\rb')],
  ])('is the same %s', (_, bytes) => {
    expect(writtenText(bytes)).toBe('a\nb')
  })
})
