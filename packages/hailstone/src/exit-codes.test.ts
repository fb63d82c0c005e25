import { readFile } from 'node:fs/promises'
import { apiError, reportError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { type ExitName, exitOf, exits } from './exit-codes.ts'

const all = Object.values(exits)

it('G-19: gives every ending a number of its own, and a next step', () => {
  expect(new Set(all.map(({ number }) => number)).size).toBe(all.length)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { nextStep, meaning } of all) expect(nextStep.length * meaning.length).toBeGreaterThan(0)
})

it('keeps the numbers it once gave', () => {
  const numbers: { readonly [N in ExitName]?: number } = {
    ok: 0,
    unexpected: 1,
    usage: 2,
    key: 4,
    keyInUse: 5,
    duplicateKey: 6,
    protocolVersion: 7,
    apiUnreachable: 10,
    gatewayUnreachable: 11,
    stakeTooLow: 15,
    paymentUnsettled: 22,
  }
  for (const [name, number] of Object.entries(numbers)) expect(exits[name as ExitName].number).toBe(number)
})

it('has all of them on one page, with the same words', async () => {
  const page = await readFile(new URL('../EXIT-CODES.md', import.meta.url), 'utf8')
  for (const { number, name, meaning, nextStep } of all) {
    expect(page).toContain(`| ${number} | \`${name}\` | ${meaning} | ${nextStep} |`)
  }
})

it('ends as unexpected for what was not foreseen, never as if all were well', () => {
  expect(exitOf(new Error('x'))).toBe(exits.unexpected)
  expect(exitOf(reportError('LISTENER_FAILED', { event: 'x', reason: 'y' }))).toBe(exits.unexpected)
})

it.each([
  [503, exits.apiUnreachable],
  [520, exits.apiUnreachable],
  [408, exits.apiUnreachable],
  [404, exits.answerInvalid],
])('status %d of an API that is away for a while is no answer against the protocol', (status, exit) => {
  const facts = { path: '/height', status, message: null }
  expect(exitOf(apiError('HTTP_STATUS', facts))).toBe(exit)
})
