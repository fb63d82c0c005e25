/**
 * The secrets of the whole test run (RELIABILITY S-4): fixed, so that whatever anything writes anywhere can be
 * searched for them.
 */
export const canary = {
  privateKey: 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7aa55',
  password: 'canary-in-the-hailstorm',
} as const

const bytes = Buffer.from(canary.privateKey, 'hex')
const reversed = (text: string): string => [...text].reverse().join('')

/** The secrets as any encoding may spell them. A part of the key would already be too much. */
const spellings: readonly string[] = [
  canary.privateKey.slice(0, 16),
  canary.privateKey.slice(-16),
  reversed(canary.privateKey).slice(0, 16),
  bytes.toString('base64').slice(0, 24),
  bytes.toString('base64url').slice(0, 24),
  bytes.toString('latin1').slice(0, 12),
  BigInt(`0x${canary.privateKey}`).toString(),
  [...bytes].slice(0, 8).join(','),
  [...bytes].slice(0, 8).join(', '),
  [...bytes]
    .slice(0, 8)
    .map((byte) => byte.toString(16))
    .join(' '),
  canary.password,
  reversed(canary.password),
  Buffer.from(canary.password).toString('hex'),
  Buffer.from(canary.password).toString('base64').replace(/=+$/, ''),
]

/** Which spellings of the secrets a text has, in any case of letters. */
export function findCanary(text: string): readonly string[] {
  const folded = text.toLowerCase()
  return spellings.filter((spelling) => folded.includes(spelling.toLowerCase()))
}
