import { scryptSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'
import { RefusedError } from './refused-error.ts'

const cheap = { log2N: 4, r: 8, p: 1 }

it('keeps N = 2^17, r = 8, p = 1 and a salt in the row, and judges by the row', async () => {
  const passwords = createPasswords()
  const written = await passwords.hash('correct horse battery', 'ada')
  const [, salt = '', hash] = /^\$scrypt\$ln=17,r=8,p=1\$([\w-]{22})\$([\w-]{43})$/.exec(written) ?? []
  const options = { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 }
  expect(
    scryptSync('correct horse battery', Buffer.from(salt, 'base64url'), 32, options).toString('base64url'),
  ).toBe(hash)
  // A console whose parameters have changed since still knows it.
  expect(await createPasswords({ cost: cheap }).check('correct horse battery', written)).toBe(true)
  expect(await createPasswords({ cost: cheap }).check('correct horse batterY', written)).toBe(false)
})

it('takes the same letters however a keyboard writes them, and gives each person another salt', async () => {
  const passwords = createPasswords({ cost: cheap })
  const written = await passwords.hash('Käsekuchen-Ofen', 'ada')
  expect(await passwords.check('Ka\u0308sekuchen-Ofen', written)).toBe(true)
  expect(await passwords.hash('Käsekuchen-Ofen', 'ada')).not.toBe(written)
})

it('accepts no password for a missing or malformed hash', async () => {
  const passwords = createPasswords({ cost: cheap })
  expect(await passwords.check('correct horse battery', undefined)).toBe(false)
  expect(await passwords.check('correct horse battery', 'plain text')).toBe(false)
})

it.each([
  ['eleven char', '11 characters'],
  ['x'.repeat(129), '129 characters'],
  ['ababababababab', 'two letters again and again'],
  ['Ada.Lovelace', 'the name'],
])('refuses %j: %s', async (password) => {
  await expect(createPasswords({ cost: cheap }).hash(password, 'ada.lovelace')).rejects.toBeInstanceOf(
    RefusedError,
  )
})

it('works on one password at a time, and refuses those that would wait too long', async () => {
  let [running, most, done] = [0, 0, 0]
  const passwords = createPasswords({
    cost: cheap,
    async derive(password, salt, length, options) {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      done++
      return scryptSync(password, salt, length, options)
    },
  })
  const checks = await Promise.allSettled(
    Array.from({ length: 40 }, () => passwords.check('correct horse battery', undefined)),
  )
  const refused = checks.filter(({ status }) => status === 'rejected')
  expect([most, done, refused.length]).toStrictEqual([1, 32, 8])
  expect(refused[0]).toMatchObject({ reason: { status: 503 } })
  expect(await passwords.check('correct horse battery', undefined)).toBe(false)
})
