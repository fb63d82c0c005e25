import { expect, test } from 'vitest'
import { createCrowd, RANK } from './crowd.ts'

function setUp(most: number) {
  const givenUp: string[] = []
  const crowd = createCrowd<string>({ most, giveUp: (member) => givenUp.push(member) })
  return { crowd, givenUp }
}

test('there are never more members than places', () => {
  const { crowd, givenUp } = setUp(10)
  for (let number = 0; number < 1000; number++) expect(crowd.admit(`${number}`)).toBe(true)
  expect(crowd.size()).toBe(10)
  expect(givenUp).toHaveLength(990)
  expect(givenUp[0]).toBe('0')
})

test('miners with stake keep their places under any number of strangers', () => {
  const { crowd, givenUp } = setUp(100)
  for (let number = 0; number < 50; number++) {
    crowd.admit(`miner ${number}`)
    crowd.rank(`miner ${number}`, RANK.staked)
  }
  for (let number = 0; number < 5000; number++) {
    crowd.admit(`stranger ${number}`)
    crowd.rank(`stranger ${number}`, number % 2 === 0 ? RANK.stranger : RANK.silent)
  }
  expect(givenUp.filter((member) => member.startsWith('miner'))).toEqual([])
})

test('a connection that has just come is safe while others idle in the places', () => {
  const { crowd, givenUp } = setUp(8)
  for (let number = 0; number < 7; number++) {
    crowd.admit(`idle ${number}`)
    crowd.rank(`idle ${number}`, RANK.idle)
  }
  crowd.admit('honest')
  crowd.admit('another')
  expect(givenUp).toEqual(['idle 0'])
})

test('proven miners alone are not given up for anybody', () => {
  const { crowd, givenUp } = setUp(3)
  for (const miner of ['a', 'b', 'c']) {
    crowd.admit(miner)
    crowd.rank(miner, RANK.proven)
  }
  expect(crowd.admit('late')).toBe(false)
  crowd.leave('a')
  expect(crowd.admit('late')).toBe(true)
  expect(givenUp).toEqual([])
})
