import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { readKey, type SigningKey } from './read-key.ts'

const key = sha256Hex('a key')

const keyIn = (text: string): Promise<SigningKey> =>
  readKey(
    { kind: 'stdin' },
    '' as never,
    (async function* () {
      yield text
    })(),
  )

it.each([
  ['below a mark, an empty line and a note', `\ufeff\n# mine\r\n${key}\r\n`],
  ['twice, in digits of both kinds', `${key}\n${key.toUpperCase()}`],
  ['above a line that is no key', `${key}\nof the owner`],
])('a key is found %s', async (_, text) => {
  expect((await keyIn(text)).privateKey).toBe(key)
})

it.each([
  ['several keys', `${key}\n${sha256Hex('other')}`, /several keys/],
  ['a key of Ethereum', `0x${key}`, /begins with 0x/],
  ['a keystore', '{"version":3,"crypto":{}}', /this is a keystore/],
  ['a key in UTF-16 without a mark', [...key].join('\0'), /U\+0000/],
])('a text with %s is refused by saying what it is', async (_, text, reason) => {
  await expect(keyIn(text)).rejects.toThrow(reason)
})
