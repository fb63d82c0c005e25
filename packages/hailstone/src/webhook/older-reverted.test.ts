import { expect, it } from 'vitest'
import { eventId } from './outbox.ts'
import { revertedName } from './report-rewards.ts'
import { parseWebhookTable } from './webhook-settings.ts'

const namesOf = (events: readonly string[] | undefined) =>
  parseWebhookTable(
    { url: 'https://a.example', 'secret-file': 'secret', ...(events && { events }) },
    {
      folder: '/',
      refuseSecret: () => undefined,
      unknownKey: (key) => {
        throw new Error(key)
      },
    },
  ).events

it.each([
  [['rewardReverted'], 'rewardReverted'],
  [['rewarded', 'reverted'], 'reverted'],
  [['rewardReverted', 'reverted'], 'reverted'],
  [undefined, 'reverted'],
] as const)('a receiver that wants %j is told of lost rewards as %s', (events, name) => {
  const wanted = namesOf(events)
  expect(revertedName((one) => wanted.has(one))).toBe(name)
  expect(wanted.has(name)).toBe(true)
})

it('is the same event under both names', () => {
  const of = { address: `02${'1'.repeat(64)}`, identity: [1, 0] }
  expect(eventId('reverted', of)).toBe(eventId('rewardReverted', of))
})
