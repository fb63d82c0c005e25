import { expect, it } from 'vitest'
import { readOptions } from './read-options.ts'

it('reads folder, template and switches', () => {
  expect(
    readOptions(['a', '--template', 'bot', '--no-install', '--git', '-y', '--pm', 'pnpm']),
  ).toStrictEqual({
    kind: 'create',
    folder: 'a',
    template: 'bot',
    brandWords: [],
    packageManager: 'pnpm',
    packages: undefined,
    install: false,
    git: true,
    yes: true,
  })
})

it('takes options of a brand for its template', () => {
  expect(readOptions(['a', '--name', 'A', '--primary', '#3a6ea5'])).toMatchObject({
    template: 'brand',
    brandWords: ['--name=A', '--primary=#3a6ea5'],
  })
})

it('takes a second word for a template, as npm passes it on', () => {
  expect(readOptions(['a', 'react'])).toMatchObject({ folder: 'a', template: 'react' })
})

it.each([
  [['a', '--template', 'nodee'], /There is no template nodee\. The templates are:\n {2}node /],
  [['a', 'b'], /Only one folder can be named; b is too much/],
  [['a', 'node', 'c'], /c is too much/],
  [['a', '--templat', 'node'], /There is no option --templat\. Did you mean --template\?/],
  [['a', '--pm', 'pip'], /--pm is one of npm, pnpm, yarn, bun, not pip/],
  [['a', '--git', '--no-git'], /Use --git or --no-git, not both/],
  [['a', '--template'], /The option --template needs a value/],
])('refuses %j', (words, sentence) => {
  expect(() => readOptions(words)).toThrow(sentence)
})

it('makes a project for npm from packed packages, and for no other package manager', () => {
  expect(readOptions(['a', 'node', '--packages', 'packed'])).toMatchObject({
    packages: 'packed',
    packageManager: 'npm',
  })
  expect(() => readOptions(['a', 'node', '--packages', 'packed', '--pm', 'yarn'])).toThrow(
    'npm alone, not for yarn',
  )
})
