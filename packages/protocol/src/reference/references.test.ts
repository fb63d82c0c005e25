import { describe, expect, test } from 'vitest'
import * as definitions from '../endpoints/index.ts'
import type { DescribedEndpoint } from './endpoint-reference.ts'
import { openApiDocument } from './open-api.ts'
import { referenceGroups } from './references.ts'
import { wirePaths, wireSchema } from './wire-schema.ts'

const references = referenceGroups.flatMap((group) => group.endpoints)
const defined = Object.entries(definitions)
  .filter(([name]) => name.endsWith('Endpoint'))
  .map(([, value]) => value as unknown)
  .filter((value): value is DescribedEndpoint => typeof value === 'object')

const sorted = (names: Iterable<string>): readonly string[] => [...names].sort()

test('every endpoint definition is in the reference exactly once', () => {
  const name = ({ method, path }: DescribedEndpoint) => `${method} ${path}`
  expect(defined.length).toBeGreaterThan(30)
  expect(sorted(references.map(({ endpoint }) => name(endpoint)))).toEqual(sorted(defined.map(name)))
})

describe.each(references)('$endpoint.method $endpoint.path', (reference) => {
  const { endpoint, answer, body = {}, parameters = {} } = reference

  test('every member of the answer has a meaning, and no meaning is left over', () => {
    expect(sorted(Object.keys(answer))).toEqual(sorted(wirePaths(wireSchema(endpoint.answer))))
    expect(Object.values(answer).filter((meaning) => meaning.length < 5)).toEqual([])
  })

  test('so has every member of the body and every parameter', () => {
    const bodyPaths = endpoint.body === undefined ? [] : wirePaths(wireSchema(endpoint.body))
    expect(sorted(Object.keys(body))).toEqual(sorted(bodyPaths))
    const names = Object.values(endpoint.parameters).map(({ wireName }) => wireName)
    expect(sorted(Object.keys(parameters))).toEqual(sorted(names))
  })
})

describe('the printed document', () => {
  const document = openApiDocument({ serverUrl: '/api/v1', title: 'A network', version: '1' })

  test('is OpenAPI 3.1 with one operation for each endpoint, all named differently', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(document.openapi).toBe('3.1.0')
    expect(operations).toHaveLength(references.length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(references.length)
  })

  test('shows units as integer or text and small numbers as integer', () => {
    const answer = wireSchema(definitions.balanceEndpoint.answer)
    expect(answer.properties?.amount?.oneOf).toEqual([
      { type: 'integer', format: 'uint64', minimum: 0, maximum: 9007199254740991 },
      { type: 'string', pattern: '^[1-9]\\d{15,19}$' },
    ])
    expect(answer.properties?.decimals?.type).toBe('integer')
    expect(answer.required).toEqual(expect.arrayContaining(['amount', 'decimals']))
    expect(answer.required).not.toContain('ticker')
  })

  test('gives every integer a range, and every other leaf a type', () => {
    const open: string[] = []
    const walk = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { type, minimum, enum: values } = node as Record<string, unknown>
      if (type === 'integer' && minimum === undefined && values === undefined) open.push(at)
      for (const [name, member] of Object.entries(node))
        if (name !== 'examples') walk(member, `${at}/${name}`)
    }
    walk(document.paths, '')
    expect(open).toEqual([])
  })

  test('tells every error of every operation, in one form', () => {
    for (const path of Object.values(document.paths)) {
      for (const { responses } of Object.values(path)) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '403', '500']))
        expect(JSON.stringify(responses['500'])).toContain('#/components/responses/')
      }
    }
    expect(document.components.schemas.Error.required).toEqual(['err', 'message'])
  })

  test('leaves no description empty', () => {
    for (const path of Object.values(document.paths)) {
      for (const operation of Object.values(path)) {
        for (const { description } of operation.parameters) expect(description).not.toBe('')
      }
    }
  })
})
