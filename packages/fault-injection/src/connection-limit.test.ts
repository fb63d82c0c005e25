import { expect, test } from 'vitest'
import { createConnectionLimit, RANK } from './connection-limit.ts'

function setUp(most: number) {
  const givenUp: string[] = []
  const limit = createConnectionLimit<string>({ most, giveUp: (member) => givenUp.push(member) })
  return { limit, givenUp }
}

test('there are never more members than places', () => {
  const { limit, givenUp } = setUp(10)
  for (let number = 0; number < 1000; number++) expect(limit.admit(`${number}`)).toBe(true)
  expect(limit.size()).toBe(10)
  expect(givenUp).toHaveLength(990)
  expect(givenUp[0]).toBe('0')
})

test('miners with stake keep their places under any number of strangers', () => {
  const { limit, givenUp } = setUp(100)
  for (let number = 0; number < 50; number++) {
    limit.admit(`miner ${number}`)
    limit.rank(`miner ${number}`, RANK.staked)
  }
  for (let number = 0; number < 5000; number++) {
    limit.admit(`stranger ${number}`)
    limit.rank(`stranger ${number}`, number % 2 === 0 ? RANK.stranger : RANK.silent)
  }
  expect(givenUp.filter((member) => member.startsWith('miner'))).toEqual([])
})

test('a connection that has just come is safe while others idle in the places', () => {
  const { limit, givenUp } = setUp(8)
  for (let number = 0; number < 7; number++) {
    limit.admit(`idle ${number}`)
    limit.rank(`idle ${number}`, RANK.idle)
  }
  limit.admit('honest')
  limit.admit('another')
  expect(givenUp).toEqual(['idle 0'])
})

test('proven miners alone are not given up for anybody', () => {
  const { limit, givenUp } = setUp(3)
  for (const miner of ['a', 'b', 'c']) {
    limit.admit(miner)
    limit.rank(miner, RANK.proven)
  }
  expect(limit.admit('late')).toBe(false)
  limit.leave('a')
  expect(limit.admit('late')).toBe(true)
  expect(givenUp).toEqual([])
})
