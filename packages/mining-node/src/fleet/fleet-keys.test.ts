import { keystoreError, NodeError, paymentError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { openKey, receiveError, sendError } from './fleet-keys.ts'

it.each([
  new NodeError('PRIVATE_KEY_MALFORMED', { reason: 'it is too short' }),
  keystoreError('KEYSTORE_LOCKED', { path: 'key.json', processId: 7 }),
  paymentError('PAYMENT_DECLINED', { reason: 'the device says no' }),
])('an error of ours is the same on the other side of a thread: %s', (reported) => {
  const { code, facts, message } = reported
  const received = receiveError(structuredClone(sendError(reported)))
  expect(received).toBeInstanceOf(NodeError)
  expect(received).toMatchObject({ code, facts, message })
})

it('an error of somebody else says only that the signer failed', () => {
  const received = receiveError(sendError(new Error('secret words')))
  expect(received.code).toBe('SIGNER_FAILED')
  expect(received.message).not.toContain('secret words')
})

it('what is no key becomes the error that says so', () => {
  expect(openKey('nonsense', undefined)).toMatchObject({ code: 'PRIVATE_KEY_MALFORMED' })
  expect(openKey({}, undefined)).toBeInstanceOf(NodeError)
})
