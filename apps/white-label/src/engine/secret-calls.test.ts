import { expect, it } from 'vitest'
import { openSecretCalls } from './secret-calls.ts'

/** Begins a call, does something else, and returns whether the signal of the first has ended. */
function isEnded(
  name: string,
  act: (calls: ReturnType<typeof openSecretCalls>) => void,
): boolean | undefined {
  const calls = openSecretCalls()
  const signal = calls.begin(1, name)
  act(calls)
  return signal?.aborted
}

it.each([
  ['words', 'coverWords', true],
  ['words', 'dropPrepared', false],
  ['prepare', 'dropPrepared', true],
  ['prepareFile', 'dropPrepared', true],
  ['seal', 'dropPrepared', false],
  ['exportKey', 'lock', true],
  ['signIn', 'cover', true],
  ['unlock', 'unlock', false],
  ['rename', 'lock', undefined],
])('%s is ended by %s or is not', (name, last, expected) => {
  expect(isEnded(name, (calls) => calls.endBefore(last))).toBe(expected)
})

it('a call ends with its own asker, and not after it is answered', () => {
  expect(isEnded('words', (calls) => calls.cancel(1))).toBe(true)
  expect(isEnded('words', (calls) => calls.cancel(2))).toBe(false)
  expect(
    isEnded('words', (calls) => {
      calls.done(1)
      calls.cancel(1)
      calls.endBefore('lock')
    }),
  ).toBe(false)
})
