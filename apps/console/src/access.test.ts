import { expect, it } from 'vitest'
import { createAccess } from './access.ts'

const HOUR = 3_600_000

it('opens one session with a link, within 15 minutes', () => {
  let now = 0
  const access = createAccess({ now: () => now })
  const link = access.issueLink()
  const session = access.redeem(link)
  expect(session).not.toBeNull()
  expect(access.isOpen(session ?? undefined)).toBe(true)
  expect(access.redeem(link)).toBeNull()
  expect(access.redeem('guessed')).toBeNull()
  const old = access.issueLink()
  now = 15 * 60_000 + 1
  expect(access.redeem(old)).toBeNull()
})

it('ends a session after 12 idle hours, after 7 days, and when it is signed out', () => {
  let now = 0
  const access = createAccess({ now: () => now })
  const open = (): string => access.redeem(access.issueLink()) ?? ''
  const idle = open()
  now += 12 * HOUR + 1
  expect(access.isOpen(idle)).toBe(false)
  const used = open()
  const begun = now
  for (; now - begun <= 7 * 24 * HOUR; now += 6 * HOUR) expect(access.isOpen(used)).toBe(true)
  expect(access.isOpen(used)).toBe(false)
  const left = open()
  access.end(left)
  expect(access.isOpen(left)).toBe(false)
  expect(access.isOpen(undefined)).toBe(false)
})
