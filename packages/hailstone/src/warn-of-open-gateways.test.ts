import { expect, it } from 'vitest'
import { warnOfOpenGateways } from './warn-of-open-gateways.ts'

it('warns of each public gateway that is not encrypted, and of no other', () => {
  const warned: string[] = []
  const open = ['ws://gateway.example:3000', 'ws://8.8.8.8']
  const others = [
    'wss://gateway.example',
    'ws://127.0.0.1:4411',
    'ws://nas.home',
    'ws://192.168.1.2',
    'nonsense',
  ]
  warnOfOpenGateways([...open, ...others], { warn: (line) => void warned.push(line) })
  expect(warned).toStrictEqual(open.map((url) => expect.stringContaining(`${url} is not encrypted`)))
})
