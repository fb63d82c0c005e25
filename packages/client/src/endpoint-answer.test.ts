import * as protocol from '@hailstone/protocol'
import { type Endpoint, isNodeError, type Parameters } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { readEndpointAnswer } from './endpoint-answer.ts'

const isEndpoint = (value: unknown): value is Endpoint<Parameters, unknown> =>
  typeof value === 'object' && value !== null && 'answer' in value

const endpoints = Object.values(protocol as Record<string, unknown>).filter(isEndpoint)

const outcomeOf = (endpoint: Endpoint<Parameters, unknown>, status: number, text: string) => {
  try {
    const value = readEndpointAnswer(endpoint, { status, contentType: null, text })
    return value === undefined ? 'nothing' : 'a value'
  } catch (error) {
    return isNodeError(error) ? { code: error.code, facts: error.facts } : error
  }
}

describe('readEndpointAnswer', () => {
  it('takes an empty body for "nothing" only where the network documents it', () => {
    const mayBeEmpty = endpoints.filter((endpoint) => outcomeOf(endpoint, 200, '') === 'nothing')
    expect(mayBeEmpty).toStrictEqual(endpoints.filter((endpoint) => endpoint.mayBeEmpty))
    expect(mayBeEmpty.length).toBeGreaterThan(2)
  })

  it('passes the message of an error object on and nothing of any other page', () => {
    const read = (text: string) => outcomeOf(protocol.heightEndpoint, 404, text)
    const refused = (message: string | null) => ({
      code: 'HTTP_STATUS',
      facts: { path: '/height', status: 404, message },
    })
    expect(read('{"err":1,"message":"no such height"}')).toStrictEqual(refused('no such height'))
    for (const text of ['<html>', '', '{"message":"x"}', '{"err":1,"message":5}', 'null', '[]']) {
      expect(read(text)).toStrictEqual(refused(null))
    }
  })

  it('says where an answer is wrong', () => {
    const text = '{"kblock":{"hash":"x"},"mblocks":[],"sblocks":[]}'
    const read = () =>
      readEndpointAnswer(protocol.macroblockByHeightEndpoint, { status: 200, contentType: null, text })
    expect(read).toThrowError(
      expect.objectContaining({
        facts: { path: '/macroblock_by_height', reason: expect.stringContaining('kblock.hash') },
      }),
    )
  })
})
