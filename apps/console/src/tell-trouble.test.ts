import { expect, it } from 'vitest'
import type { ChainStatus } from './open-follower.ts'
import { tellTrouble } from './tell-trouble.ts'

it('is told once for each kind, and its end once', () => {
  let status = { failure: null, alertsFailure: null } as ChainStatus
  const listeners = new Set<() => void>()
  const told: string[] = []
  const end = tellTrouble(
    {
      status: () => status,
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    (sentence) => told.push(sentence),
  )
  const change = (part: Partial<ChainStatus>): void => {
    status = { ...status, ...part }
    for (const listener of listeners) listener()
  }
  change({ height: 4 })
  change({ failure: 'database "console" does not exist' })
  change({ failure: 'database "console" does not exist' })
  change({ alertsFailure: 'Alerts are not judged: the same.' })
  change({ failure: 'The API is at height 7.' })
  change({ failure: 'The API is at height 8.' })
  change({ failure: null })
  change({ alertsFailure: null })
  change({ height: 5 })
  end()
  change({ failure: 'x' })
  expect(told).toEqual([
    'database "console" does not exist',
    'The API is at height 7.',
    'Alerts are not judged: the same.',
    'The console follows the chain again.',
  ])
})
