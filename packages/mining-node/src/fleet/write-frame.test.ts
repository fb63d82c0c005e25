import { walletFromPrivateKey } from '@hailstone/client'
import { isNodeError, sha256Hex, verifyText, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import type { FleetSigner, SigningTask } from './signer-pool.ts'
import { writeFrame } from './write-frame.ts'

const ours = walletFromPrivateKey(sha256Hex('ours'))
const other = walletFromPrivateKey(sha256Hex('other'))
const terms = { tokenId: ZERO_TOKEN_ID, referralAgent: undefined }
const tasks: readonly SigningTask[] = [
  { kind: 'hail', host: 'gateway.example' },
  { kind: 'publication', microblockHash: sha256Hex('microblock'), keyBlockHash: sha256Hex('key block') },
]
const signingAs = (changed: Partial<Parameters<typeof ours.signHail>[0]>, signer = ours): FleetSigner => ({
  address: ours.address,
  signHail: async (given) => ({ ...signer.signHail(given), ...changed }),
  signPublication: async (given) => ({ ...signer.signPublication(given), ...changed }),
})
const rubbish = (answer: unknown) => (): never => answer as never

it.each(tasks)('of a signer that is no wallet the signature alone is sent: $kind', async (task) => {
  const frame = writeFrame(ours, terms, task)
  expect(await writeFrame(signingAs({ referralAgent: other.address }), terms, task, verifyText)).toBe(frame)
})

it.each(tasks)(
  'a signature that is not one of the account over the message is not sent: $kind',
  async (task) => {
    const signers = [
      signingAs({}, other),
      ...['text', null, {}, { signature: 7 }].map((answer) => ({
        address: ours.address,
        signHail: rubbish(answer),
        signPublication: rubbish(answer),
      })),
    ]
    for (const signer of signers) {
      const written = (async () => writeFrame(signer, terms, task, verifyText))()
      await expect(written).rejects.toSatisfy((error) => isNodeError(error, 'SIGNER_FAILED'))
    }
  },
)
