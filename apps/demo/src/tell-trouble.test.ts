import { expect, test } from 'vitest'
import { tellTrouble } from './tell-trouble.ts'

test('each trouble is told once, and only macroblocks that stopped are closed again', () => {
  const lines: string[] = []
  const { logger, tellTo, isOver } = tellTrouble()
  tellTo((line) => void lines.push(line))
  for (let times = 0; times < 3; times++) {
    logger.error('request failed', { reason: `fault ${times}` })
    logger.error('a connection failed')
    isOver()
  }
  expect(lines.splice(0)).toEqual([
    'The network: request failed: fault 0',
    'The network: a connection failed',
  ])
  for (let times = 0; times < 2; times++) {
    for (let tries = 0; tries < 3; tries++) {
      logger.error('the macroblock could not be closed', { reason: 'the disk is full' })
      logger.error('request failed')
    }
    isOver()
    isOver()
    expect(lines.splice(0)).toEqual([
      'The network: the macroblock could not be closed: the disk is full',
      'The network closes macroblocks again',
    ])
  }
})
