import { expect, test } from 'vitest'
import { commandOf } from './command-of.ts'

test.each([
  [[], { command: 'serve', rest: [] }],
  [['--port', '0'], { command: 'serve', rest: ['--port', '0'] }],
  [['openapi', 'file'], { command: 'openapi', rest: ['file'] }],
  [['token', 'mint', '--help'], { command: 'token', rest: ['mint', '--help'] }],
  [['help'], { command: 'serve', rest: ['--help'] }],
  [['help', 'token'], { command: 'token', rest: ['--help'] }],
])('%j is %j', (words, command) => {
  expect(commandOf(words)).toEqual(command)
})

test('names the nearest command to a misspelt one', () => {
  expect(() => commandOf(['opnapi'])).toThrow('There is no such command. Did you mean openapi?')
  expect(() => commandOf(['help', 'tokn'])).toThrow('Did you mean token?')
  expect(() => commandOf(['start'])).toThrow('The commands are openapi, token, help.')
})
