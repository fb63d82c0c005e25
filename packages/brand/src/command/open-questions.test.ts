import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { UsageError } from './command-options.ts'
import { openQuestions } from './open-questions.ts'

it('loses no answer of several that are pasted at once, and says so when the terminal is left', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { ask, close } = openQuestions(input, output)
  input.write('Kelp\n\n#3a7644\n')
  expect([await ask('Name: '), await ask('Id: '), await ask('Colour: ')]).toEqual(['Kelp', '', '#3a7644'])
  input.end()
  await expect(ask('Network: ')).rejects.toThrow(UsageError)
  expect(String(output.read())).toContain('Network: ')
  close()
})
