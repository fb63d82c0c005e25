// The secrets that tests give to what they test (S-4 of docs/gates.md): fixed, so that whatever anything writes anywhere
// can be searched for them. Plain JavaScript, for the command that searches the output of all tests.
import { createHash } from 'node:crypto'

/** A private key and a password. */
export const canary = Object.freeze({
  privateKey: 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7aa55',
  password: 'canary-in-the-hailstorm',
})

/** The tests of the commands have secrets of their own. */
const keys = [canary.privateKey, createHash('sha256').update('canary of the commands').digest('hex')]
const passwords = [canary.password, 'canary password of the commands']

const reversed = (text) => [...text].reverse().join('')

/** The secrets as any encoding may spell them. A part of a key would already be too much. */
function spellingsOfKey(key) {
  const bytes = Buffer.from(key, 'hex')
  const first = [...bytes].slice(0, 8)
  return [
    key.slice(0, 16),
    key.slice(-16),
    reversed(key).slice(0, 16),
    bytes.toString('base64').slice(0, 24),
    bytes.toString('base64url').slice(0, 24),
    bytes.toString('latin1').slice(0, 12),
    BigInt(`0x${key}`).toString(),
    first.join(','),
    first.join(', '),
    first.map((byte) => byte.toString(16)).join(' '),
  ]
}

const spellingsOfPassword = (password) => [
  password,
  reversed(password),
  Buffer.from(password).toString('hex'),
  Buffer.from(password).toString('base64').replace(/=+$/, ''),
]

export const spellings = [...keys.flatMap(spellingsOfKey), ...passwords.flatMap(spellingsOfPassword)]

/** Which spellings of the secrets a text has, in any case of letters. */
export function findCanary(text) {
  const folded = text.toLowerCase()
  return spellings.filter((spelling) => folded.includes(spelling.toLowerCase()))
}
