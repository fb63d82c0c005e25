import { openApiDocument } from '@hailstone/protocol/reference'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { validateAnswers } from './validate-answers.ts'

async function problemsWith(answer: (path: string) => unknown, url: string): Promise<readonly string[]> {
  const problems: string[] = []
  const server = fastify()
  const report = ({ message }: Error) => void problems.push(message)
  validateAnswers(server, openApiDocument({ serverUrl: '/api/v1' }), { report })
  server.get('/api/v1/height', (_, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(answer('/height'))),
  )
  server.get('/api/v1/undescribed', (_, reply) => reply.send('{}'))
  server.get('/page', (_, reply) => reply.type('text/html').send('<p>'))
  await server.inject(url)
  await server.close()
  return problems
}

test('says nothing of answers that are as they are described, nor of pages', async () => {
  expect(await problemsWith(() => ({ height: 5 }), '/api/v1/height')).toEqual([])
  expect(await problemsWith(() => ({ height: 5 }), '/page')).toEqual([])
})

test('reports an answer that is not, with its path and what is wrong', async () => {
  const [problem] = await problemsWith(() => ({ height: '5' }), '/api/v1/height?x=1')
  expect(problem).toContain('GET /api/v1/height?x=1')
  expect(problem).toContain('answer.height is string')
})

test('reports an answer of a route that is not described at all', async () => {
  const [problem] = await problemsWith(() => null, '/api/v1/undescribed')
  expect(problem).toContain('GET /undescribed is not described')
})
