import { describe, expect, it } from 'vitest'
import { callableText } from './callable-text.ts'

const text = 'Run `hailstone-brand check x`, then `hailstone doctor`; a `brand` is data.'

describe('callableText', () => {
  it.each([
    ['by its name', {}, 'hailstone-brand'],
    ['by npx or a script of an installed package', { npm_command: 'exec' }, 'npx hailstone-brand'],
    [
      'by a script that says so',
      { npm_command: 'run-script', HAILSTONE_CALLED_AS: 'npm run brand --' },
      'npm run brand --',
    ],
    [
      'by a command that was started in another way',
      { npm_command: 'run-script', HAILSTONE_CALLED_AS: 'npm run hailstone --' },
      'npx hailstone-brand',
    ],
  ])('rewrites calls of a command that was started %s', (_, environment, call) => {
    const shown = callableText(text, 'hailstone-brand', environment, 'brand')
    expect(shown).toBe(text.replace('`hailstone-brand check', `\`${call} check`))
  })
})
