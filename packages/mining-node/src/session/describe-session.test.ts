import { expect, it } from 'vitest'
import { describeSession } from './describe-session.ts'

const waitsForToken = (detail: string) =>
  describeSession({ status: 'waiting', delayMs: 0, reason: { kind: 'nativeTokenUnknown', detail } } as never)

it('sends nobody to the address of the API before an answer had the time to come', () => {
  expect(waitsForToken('')).toStrictEqual({ why: 'asking the API which token is native', nextStep: '' })
})

it('says what failed and what to do once the API could not be asked', () => {
  expect(waitsForToken('nobody listens there')).toStrictEqual({
    why: 'waiting for the API to say which token is native: nobody listens there',
    nextStep: 'Check the address of the API, or name the token to mine.',
  })
})

it('shows a word of the gateway as it is, in characters that a terminal only prints', () => {
  const said = 'ERR_\u001b[2J"odd"\u202e'
  const reason = { kind: 'connectionClosed', code: 1006, said } as const
  expect(describeSession({ status: 'waiting', attempt: 1, delayMs: 60_000, reason })).toStrictEqual({
    why: 'the gateway closes the connection and says: ERR_\\u001b[2J"odd"\\u202e',
    nextStep: 'Ask whoever runs the gateway what that means; it is asked again by itself.',
  })
})

it('names the gateway that is out of reach, once', () => {
  const whyOf = (detail: string) =>
    describeSession({
      status: 'waiting',
      attempt: 1,
      delayMs: 5,
      reason: { kind: 'gatewayUnreachable', detail, url: 'wss://gateway.example:3000/x' },
    }).why
  expect(whyOf('ECONNREFUSED')).toBe('gateway unreachable: gateway.example:3000: ECONNREFUSED')
  expect(whyOf('connect to gateway.example:3000')).toBe(
    'gateway unreachable: connect to gateway.example:3000',
  )
})
