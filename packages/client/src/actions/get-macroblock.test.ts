import { apiError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { exchangesOf } from '../../test/support/recordings.ts'
import { type Scripted, scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient } from '../node.ts'

const recorded = exchangesOf('recorded/http-1.json').find(({ path }) => path.endsWith('_by_height?height=3'))
const silent = (): never => {
  throw apiError('REQUEST_TIMEOUT', { path: '/macroblock_by_height', timeoutMs: 1 })
}

function macroblockAt(height: number, answer: () => Scripted, tip: () => Scripted = () => '{"height":7}') {
  const transport = scriptedTransport(({ path }) => (path === '/height' ? tip() : answer()))
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport, retry: { maxAttempts: 1 } })
  return client.getMacroblock({ height })
}

describe('getMacroblock', () => {
  it('gives the key block and the names of what extends it', async () => {
    const macroblock = await macroblockAt(3, () => recorded?.body ?? '')
    expect(macroblock).toMatchObject({ keyBlock: { height: 3 }, isCalculated: true })
    expect(macroblock?.microblocks.length).toBeGreaterThan(0)
  })

  it('says that one without reward is not calculated', async () => {
    const open = () => (recorded?.body ?? '').replace(/"reward":\d+/, '"reward":null')
    expect(await macroblockAt(3, open)).toMatchObject({ isCalculated: false })
  })

  it.each([
    ['an answer without key block', () => '{"mblocks":[],"sblocks":[]}'],
    ['404 with an error object', () => ({ status: 404, text: '{"err":1,"message":"unknown height"}' })],
    ['400 with an error object', () => ({ status: 400, text: '{"err":1,"message":"no height"}' })],
    ['silence above the tip, as on the public network', silent],
  ])('is undefined for %s', async (_, answer) => {
    expect(await macroblockAt(8, answer)).toBeUndefined()
  })

  it('does not take an outage for an absent macroblock', async () => {
    await expect(macroblockAt(7, silent)).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    await expect(macroblockAt(8, silent, silent)).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      facts: { path: '/macroblock_by_height' },
    })
  })

  it('does not take a wrong address for an absent macroblock', async () => {
    const page = () => ({ status: 404, contentType: 'text/html', text: '<pre>Cannot GET</pre>' })
    await expect(macroblockAt(3, page)).rejects.toMatchObject({ code: 'HTTP_STATUS', facts: { status: 404 } })
  })

  it('refuses the macroblock of another height', async () => {
    await expect(macroblockAt(4, () => recorded?.body ?? '')).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    })
  })
})
