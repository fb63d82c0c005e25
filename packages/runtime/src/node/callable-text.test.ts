import { describe, expect, it } from 'vitest'
import { callableText } from './callable-text.ts'

const text = 'Run `brand check x`, then `hailstone doctor`; a `brand` is data.'

describe('callableText', () => {
  it.each([
    ['by its name', {}, 'brand'],
    ['by npx or a script of an installed package', { npm_command: 'exec' }, 'npx brand'],
    [
      'by a script that says so',
      { npm_command: 'run-script', HAILSTONE_CALLED_AS: 'npm run brand --' },
      'npm run brand --',
    ],
    [
      'by a command that was started in another way',
      { npm_command: 'run-script', HAILSTONE_CALLED_AS: 'npm run hailstone --' },
      'npx brand',
    ],
  ])('rewrites calls of a command that was started %s', (_, environment, call) => {
    expect(callableText(text, 'brand', environment)).toBe(text.replace('`brand check', `\`${call} check`))
  })
})
