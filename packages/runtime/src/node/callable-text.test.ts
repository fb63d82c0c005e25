import { describe, expect, it } from 'vitest'
import { callableText } from './callable-text.ts'

const text = 'Run `hailstone-brand check x`, then `hailstone doctor`; a `brand` is data.'

describe('callableText', () => {
  it.each([
    ['by its name', {}, 'hailstone-brand'],
    ['by npx', { npm_command: 'exec', npm_lifecycle_event: 'npx' }, 'npx hailstone-brand'],
    ['by its script', { npm_command: 'run-script', npm_lifecycle_event: 'brand' }, 'npm run brand --'],
    [
      'by another script',
      { npm_command: 'run-script', npm_lifecycle_event: 'preview' },
      'npx --no hailstone-brand',
    ],
    ['by a test', { npm_command: 'test', npm_lifecycle_event: 'test' }, 'npx --no hailstone-brand'],
  ])('rewrites calls of a command that was started %s', (_, environment, call) => {
    const shown = callableText(text, 'hailstone-brand', environment, 'brand')
    expect(shown).toBe(text.replace('`hailstone-brand check', `\`${call} check`))
  })
})
