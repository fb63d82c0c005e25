import { expect, it } from 'vitest'
import { CommandLineError, readCommandLine, readCommandName } from './read-command-line.ts'

const options = {
  port: { type: 'string' },
  'block-time': { type: 'string' },
  memory: { type: 'boolean' },
} as const
const read = (...args: readonly string[]) => readCommandLine({ args: [...args], options }).values

it('reads options and their values', () => {
  expect(read('--port', '1', '--memory')).toEqual({ port: '1', memory: true })
})

it.each([
  [['--blocktime', '2s'], 'There is no option --blocktime. Did you mean --block-time?'],
  [['--prot=4410'], 'There is no option --prot. Did you mean --port?'],
  [['--verbose'], 'There is no option --verbose.'],
  [['-q'], 'There is no option -q.'],
  [['--port'], 'The option --port needs a value.'],
  [['--port', '--memory'], 'The option --port needs a value.'],
  [['--memory=yes'], 'The option --memory takes no value.'],
  [['hunter2'], 'There is a word that belongs to no option.'],
])('refuses %j: %s', (args, sentence) => {
  expect(() => read(...args)).toThrow(new CommandLineError(sentence))
})

it('names the nearest command, or all of them', () => {
  const commands = ['openapi', 'token'] as const
  expect(readCommandName('token', commands)).toBe('token')
  expect(() => readCommandName('opnapi', commands)).toThrow('There is no such command. Did you mean openapi?')
  expect(() => readCommandName('start', commands)).toThrow('The commands are openapi, token.')
})
