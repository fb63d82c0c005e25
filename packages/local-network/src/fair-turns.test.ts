import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

type Done = { readonly freeSlot: () => void; readonly freeMember: () => void }

function setUp({ maxRunning = 1, maxCost = 1, urgent = new Set<string>() } = {}) {
  let nowMs = 0
  const later: (() => void)[] = []
  let accepted = 0
  const begun: string[] = []
  const failed: (readonly [string, string])[] = []
  const done: Done[] = []
  const turns = createFairTurns<string>({
    maxRunning,
    maxCost,
    sliceMs: 8,
    isUrgent: (member) => urgent.has(member),
    onFailure: (member, error) => failed.push([member, (error as Error).message]),
    now: () => nowMs,
    accepted: () => accepted,
    later: (run) => later.push(run),
  })
  const enter = (member: string, workMs = 0, cost = 0): void =>
    turns.enter(
      member,
      (one) => {
        begun.push(member)
        nowMs += workMs
        done.push(one)
      },
      cost,
    )
  const finish = (): void => {
    const one = done.shift()
    one?.freeSlot()
    one?.freeMember()
  }
  /** One turn of the event loop, in which so many connections are accepted. */
  const turn = (connections = 0): void => {
    accepted += connections
    for (const run of later.splice(0)) run()
  }
  return { turns, enter, finish, begun, failed, later, turn, done }
}

test('members have turns, whoever entered more', () => {
  const { enter, finish, begun } = setUp()
  for (let count = 0; count < 100; count++) enter('greedy')
  enter('honest')
  finish()
  finish()
  expect(begun).toEqual(['greedy', 'honest', 'greedy'])
})

test('one work of a member at a time, though its slot is free', () => {
  const { enter, begun, done } = setUp({ maxRunning: 2 })
  enter('one')
  enter('one')
  done[0]?.freeSlot()
  expect(begun).toEqual(['one'])
  done[0]?.freeMember()
  expect(begun).toEqual(['one', 'one'])
})

test('no more works run at once than allowed, however often the end of one is told', () => {
  const { turns, enter, begun, done } = setUp({ maxRunning: 2 })
  for (const member of ['a', 'b', 'c', 'd', 'e']) enter(member)
  expect(begun).toEqual(['a', 'b'])
  for (let count = 0; count < 3; count++) {
    done[0]?.freeSlot()
    done[0]?.freeMember()
  }
  expect(begun).toEqual(['a', 'b', 'c'])
  expect([turns.running(), turns.waiting()]).toEqual([2, 2])
})

test('urgent members go first, and every fourth turn is of the others', () => {
  const urgent = new Set(Array.from({ length: 20 }, (_, at) => `urgent ${at}`))
  const { enter, finish, begun } = setUp({ urgent })
  enter('first')
  for (let count = 0; count < 5; count++) enter(`other ${count}`)
  for (const member of urgent) enter(member)
  for (let count = 0; count < 8; count++) finish()
  expect(begun.filter((member) => member.startsWith('other'))).toHaveLength(2)
  expect(begun.filter((member) => member.startsWith('urgent'))).toHaveLength(6)
})

test('cheap work goes before costly work, of which every fifth turn is one', () => {
  const { enter, finish, begun } = setUp()
  enter('first')
  for (let count = 0; count < 10; count++) enter(`costly ${count}`, 0, 1)
  for (let count = 0; count < 20; count++) enter(`cheap ${count}`)
  for (let count = 0; count < 10; count++) finish()
  expect(begun.filter((member) => member.startsWith('costly'))).toHaveLength(2)
  expect(begun.filter((member) => member.startsWith('cheap'))).toHaveLength(8)
})

test('of costly work, too, that of urgent members goes first', () => {
  const { enter, finish, begun } = setUp({ urgent: new Set(['rested']) })
  enter('first')
  for (let count = 0; count < 100; count++) enter(`greedy ${count}`, 0, 1)
  enter('rested', 0, 1)
  finish()
  expect(begun).toEqual(['first', 'rested'])
})

test('costly work takes no more slots than it may, though others are free', () => {
  const { enter, finish, begun } = setUp({ maxRunning: 4, maxCost: 2 })
  for (let count = 0; count < 5; count++) enter(`costly ${count}`, 0, 1)
  expect(begun).toHaveLength(2)
  enter('cheap')
  expect(begun).toHaveLength(3)
  for (let count = 0; count < 3; count++) finish()
  expect(begun).toHaveLength(5)
})

test('costly work shares its room by its cost, and a large one is not passed over', () => {
  const { enter, finish, begun } = setUp({ maxRunning: 16, maxCost: 8 })
  for (let count = 0; count < 6; count++) enter(`page ${count}`, 0, 1)
  enter('list', 0, 4)
  for (let count = 6; count < 20; count++) enter(`page ${count}`, 0, 1)
  expect(begun).toHaveLength(6)
  finish()
  expect(begun).toHaveLength(6)
  finish()
  expect(begun.slice(6)).toEqual(['list'])
  for (let count = 0; count < 6; count++) finish()
  expect(begun).toHaveLength(8 + 8)
})

test('work that costs more than all the room runs alone', () => {
  const { enter, finish, begun } = setUp({ maxRunning: 4, maxCost: 8 })
  enter('page', 0, 1)
  enter('huge', 0, 9)
  expect(begun).toEqual(['page'])
  finish()
  expect(begun).toEqual(['page', 'huge'])
})

test('after a slice of time the event loop has its turn', () => {
  const { enter, begun, later } = setUp({ maxRunning: 100 })
  for (let member = 0; member < 10; member++) enter(`${member}`, 3)
  expect(begun.length).toBeLessThan(5)
  while (later.length > 0) later.shift()?.()
  expect(begun).toHaveLength(10)
})

test('what a member that left has waiting is dropped', () => {
  const { turns, enter, finish, begun } = setUp()
  enter('one')
  enter('gone')
  enter('gone')
  turns.leave('gone')
  finish()
  expect(begun).toEqual(['one'])
  expect(turns.waiting()).toBe(0)
})

test('work rests while connections are accepted, but not for good', () => {
  const { enter, turn, finish, begun } = setUp({ maxRunning: 100 })
  for (let member = 0; member < 10; member++) enter(`${member}`, 8)
  expect(begun).toHaveLength(1)
  for (let count = 0; count < 10; count++) turn(1)
  expect(begun).toHaveLength(1)
  turn()
  expect(begun).toHaveLength(2)
  finish()
  for (let count = 0; count < 40; count++) turn(1)
  expect(begun).toHaveLength(3)
})

test('little work runs at once while connections are accepted', () => {
  const { enter, turn, finish, begun } = setUp({ maxRunning: 16 })
  enter('first', 8)
  for (let member = 0; member < 20; member++) enter(`${member}`)
  for (let count = 0; count < 33; count++) turn(1)
  expect(begun).toHaveLength(2)
  finish()
  expect(begun).toHaveLength(3)
  turn()
  expect(begun).toHaveLength(17)
})

test('work goes on while connections are accepted when many wait', () => {
  const { enter, turn, begun } = setUp({ maxRunning: 100 })
  for (let member = 0; member < 40; member++) enter(`${member}`, 8)
  turn(1)
  turn(1)
  expect(begun).toHaveLength(3)
})

test('work that throws frees its place, is told of once, and concerns nobody else', () => {
  const { turns, enter, finish, begun, failed } = setUp()
  enter('other')
  turns.enter('failing', () => {
    throw new Error('no such class')
  })
  enter('third')
  expect(finish).not.toThrow()
  expect([begun, turns.running(), turns.waiting()]).toEqual([['other', 'third'], 1, 0])
  expect(failed).toEqual([['failing', 'no such class']])
  enter('failing')
  finish()
  expect(begun).toEqual(['other', 'third', 'failing'])
})
